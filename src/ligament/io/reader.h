// SPDX-License-Identifier: Apache-2.0
// Typed reading of a scene document: numbers that may be expressions, functions of time, names with
// numbers in them, repetition. Every value that is not what it should be throws SceneError with its
// place.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ligament/io/document.h"
#include "ligament/io/expression.h"
#include "ligament/io/text_template.h"
#include "ligament/io/time_formula.h"
#include "ligament/math/time_function.h"
#include "ligament/math/types.h"

namespace ligament {

// What a value is, for messages: "an array of 2", "null".
std::string type_of(const Json& value);

class Reader {
 public:
  explicit Reader(const Document& document) : document_(document) {}

  // The values of the indices of the repetitions at hand are added to the place.
  [[noreturn]] void fail(const Json& at, const std::string& what) const;

  // Makes the members of an object known to expressions, in their order.
  void define_variables(const Json& object);

  double number(const Json& value);           // finite
  double positive_number(const Json& value);  // > 0
  long integer(const Json& value, long lowest, long highest);
  bool boolean(const Json& value);
  Vec3 vector(const Json& value);
  Vec3 direction(const Json& value);  // of unit length
  // A number, an expression that may use t, or a table. It has a finite value at t = 0.
  TimeFunction function(const Json& value);
  std::array<TimeFunction, 3> function_vector(const Json& value);
  // A name, or a reference to one: {…} in it is replaced by the integer value of the expression.
  std::string name(const Json& value);
  // The index of the word among `words`.
  std::size_t choice(const Json& value, std::string_view what,
                     std::span<const std::string_view> words);

  // Calls visit for each element of an array in which repetitions stand for their items. Elements
  // whose "when" is 0 are left out.
  using Visit = std::function<void(const Json&)>;
  void for_each_element(const Json& array, const Visit& visit);
  // Goes through the elements once more, by a function that visits all of them, up to the one with
  // this index; then fails there.
  using Walk = std::function<void(const Visit&)>;
  [[noreturn]] void fail_at_element(const Walk& walk, std::size_t index,
                                    const std::function<const Json&(const Json&)>& culprit_in,
                                    const std::string& what);

 private:
  double evaluate(const Json& text);
  TimeFunction formula(const Json& text);
  TimeFunction table(const Json& object);
  std::vector<double> column(const Json& array);
  bool is_wanted(const Json& element);
  void expand(const Json& repetition, const Visit& visit);
  Variable& index_of(const Json& repeat, const Json& name);
  void count_up(std::size_t& counter, const Json& at) const;

  const Document& document_;
  std::vector<std::unique_ptr<Variable>> variables_;
  std::vector<const Variable*> visible_;  // variables, then the indices of the open repetitions
  // What has been parsed, by the address of its text in the document: an element that is repeated
  // is parsed once. Indices keep their address too, one a repetition.
  std::unordered_map<const Json*, Expression> expressions_;
  std::unordered_map<const Json*, TextTemplate> templates_;
  struct ParsedFormula {
    std::shared_ptr<TimeFormula> formula;    // null if it does not use t
    std::vector<const Variable*> variables;  // that it uses, t not among them
  };
  ParsedFormula parse_formula(const Json& text);
  std::unordered_map<const Json*, ParsedFormula> formulas_;
  std::unordered_map<const Json*, std::unique_ptr<Variable>> indices_;
  // So far, to stop in time: elements seen, rounds of repetitions, which may be empty, formulas of
  // time, and numbers in tables.
  std::size_t elements_ = 0, rounds_ = 0, time_formulas_ = 0, table_numbers_ = 0;
};

}  // namespace ligament
