// SPDX-License-Identifier: Apache-2.0
// Reads XML for tests, and takes nothing that is not well-formed: each start has its end, names and
// attributes are quoted and not doubled, and "<" and "&" are written as references.
#pragma once

#include <cctype>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ligament::testing_xml {

struct Element {
  std::string name{};
  std::map<std::string, std::string> attributes{};
  std::string text{};  // of its own, without that of its children
  std::vector<Element> children{};

  const std::string& operator[](const std::string& key) const { return attributes.at(key); }
  double number(const std::string& key) const { return std::stod(attributes.at(key)); }
  bool is(const std::string& wanted, const std::string& of_class) const {
    const auto found = attributes.find("class");
    return name == wanted && found != attributes.end() &&
           (" " + found->second + " ").find(" " + of_class + " ") != std::string::npos;
  }
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Element document() {
    skip_space();
    Element root = element();
    skip_space();
    if (at_ != text_.size()) fail("something follows the root");
    return root;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("XML at " + std::to_string(at_) + ": " + what);
  }
  char peek() const {
    if (at_ >= text_.size()) fail("ends too early");
    return text_[at_];
  }
  bool take(std::string_view wanted) {
    if (!text_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }
  void require(std::string_view wanted) {
    if (!take(wanted)) fail("no " + std::string(wanted));
  }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  std::string name() {
    std::string out;
    while (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '-' || peek() == ':')
      out += text_[at_++];
    if (out.empty() || !std::isalpha(static_cast<unsigned char>(out[0]))) fail("no name");
    return out;
  }
  // A letter, or what a reference stands for.
  char letter() {
    const char c = peek();
    if (c == '<') fail("a bare <");
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') fail("a control character");
    if (c != '&') return text_[at_++];
    for (const auto& [reference, meaning] :
         {std::pair{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}})
      if (take(reference)) return meaning;
    fail("a bare &");
  }
  Element element() {
    require("<");
    Element out{.name = name()};
    for (skip_space(); peek() != '>' && peek() != '/'; skip_space()) {
      const std::string key = name();
      require("=\"");
      std::string value;
      while (peek() != '"') value += letter();
      require("\"");
      if (!out.attributes.emplace(key, value).second) fail("attribute twice: " + key);
    }
    if (take("/>")) return out;
    require(">");
    while (!text_.substr(at_).starts_with("</"))
      if (peek() == '<')
        out.children.push_back(element());
      else
        out.text += letter();
    require("</");
    if (name() != out.name) fail("the end of another element than " + out.name);
    require(">");
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

inline Element parse(std::string_view text) { return Parser(text).document(); }

// All elements of this name and class below one, in order.
inline void collect(const Element& from, const std::string& name, const std::string& of_class,
                    std::vector<Element>& out) {
  for (const Element& child : from.children) {
    if (child.is(name, of_class)) out.push_back(child);
    collect(child, name, of_class, out);
  }
}

}  // namespace ligament::testing_xml
