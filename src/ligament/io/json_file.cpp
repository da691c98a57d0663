// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/json_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <unordered_set>
#include <vector>

#include "ligament/io/nearest.h"
#include "ligament/io/scene.h"

namespace ligament {
namespace {

constexpr std::uintmax_t largest_file = 64U << 20U;  // [bytes]
constexpr std::size_t deepest_nesting = 64;
constexpr std::size_t most_values = 8'000'000;
constexpr std::size_t most_keys = 256;  // of one object; looking one up takes time in their number

// "line:column" of a byte, both from 1.
std::string find_line(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, std::min(position, text.size()));
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("{}:{}", line, std::max<std::size_t>(before.size() - start, 1));
}

// The parser's own message without its heading "[json…] parse error at line 1, column 2: ".
std::string describe_syntax_error(std::string_view message) {
  if (message.starts_with('[')) message.remove_prefix(message.find(']') + 2);
  if (message.starts_with("parse error")) message.remove_prefix(message.find(": ") + 2);
  if (message.size() <= 300) return std::string(message);
  return quote(message);
}

// Whether the word around a position is some way to write NaN or infinity.
bool is_not_a_number(std::string_view text, std::size_t position) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  std::size_t start = std::min(position, text.size());
  while (start > 0 && is_letter(text[start - 1])) --start;
  std::string word;
  for (const char c : text.substr(start, 3))
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word == "nan" || word == "inf";
}

// Builds the document while the parser reads it, and stops it where a limit is exceeded.
class Builder : public nlohmann::json_sax<Json> {
 public:
  Builder(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  Json take() { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override {
    keys_.emplace_back();
    return open(Json::object());
  }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override {
    keys_.pop_back();
    open_.pop_back();
    return true;
  }
  bool end_array() override {
    open_.pop_back();
    return true;
  }
  bool key(string_t& key) override {
    if (!keys_.back().insert(key).second)
      fail(fmt::format("the key {} stands here twice: remove one", quote(key)));
    if (keys_.back().size() > most_keys)
      fail(fmt::format("more than {} keys in one object", most_keys));
    key_ = std::move(key);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    const bool not_a_number = is_not_a_number(text_, position);
    throw SceneError(fmt::format("{}:{}: {}", name_, find_line(text_, position),
                                 not_a_number
                                     ? "numbers must be finite: NaN and Infinity are not allowed"
                                     : describe_syntax_error(error.what())));
  }

 private:
  // Writes a value to where the parser stands, and gives its address.
  template <class Value>
  Json* add(Value&& value) {
    if (++values_ > most_values)
      throw SceneError(fmt::format(
          "{}: more than {} values: use \"repeat\" for large regular scenes", name_, most_values));
    if (open_.empty()) {
      root_ = std::forward<Value>(value);
      return &root_;
    }
    Json& parent = *open_.back();
    if (parent.is_array()) return &parent.emplace_back(std::forward<Value>(value));
    return &(parent[key_] = std::forward<Value>(value));
  }

  template <class Value>
  bool put(Value&& value) {
    add(std::forward<Value>(value));
    return true;
  }

  bool open(Json&& empty) {
    if (open_.size() >= deepest_nesting)
      throw SceneError(fmt::format("{}: nested deeper than {} levels", name_, deepest_nesting));
    open_.push_back(add(std::move(empty)));
    return true;
  }

  [[noreturn]] void fail(const std::string& what) const {
    const std::string path = find_path(root_, *open_.back());
    throw SceneError(fmt::format("{}: {}{}{}", name_, path, path.empty() ? "" : ": ", what));
  }

  std::string_view text_;
  const std::string& name_;
  Json root_;
  std::vector<Json*> open_;  // from the root to the array or object that is being read
  std::vector<std::unordered_set<std::string>> keys_;  // of the open objects
  std::string key_;
  std::size_t values_ = 0;
};

bool is_identifier(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  });
}

// Writes the path from back to front.
bool prepend_path(const Json& from, const Json& target, std::string& path) {
  if (&from == &target) return true;
  if (from.is_array())
    for (std::size_t i = 0; i < from.size(); ++i)
      if (prepend_path(from[i], target, path)) {
        path.insert(0, fmt::format("[{}]", i));
        return true;
      }
  if (from.is_object())
    for (const auto& [key, value] : from.items())
      if (prepend_path(value, target, path)) {
        path.insert(0, is_identifier(key) ? "." + key : fmt::format("[{}]", quote(key)));
        return true;
      }
  return false;
}

std::string read_text(const std::filesystem::path& file) {
  const std::string name = file.string();
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status))
    throw SceneError(fmt::format("{}: there is no such file", name));
  if (!std::filesystem::is_regular_file(status))
    throw SceneError(fmt::format("{}: this is not a file but {}: name a scene file", name,
                                 std::filesystem::is_directory(status) ? "a folder" : "a device"));
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (!error && size > largest_file)
    throw SceneError(
        fmt::format("{}: the file has {} MiB and the limit is {} MiB: use \"repeat\" for "
                    "large regular scenes",
                    name, size >> 20U, largest_file >> 20U));
  std::ifstream in(file, std::ios::binary);
  if (!in) throw SceneError(fmt::format("{}: the file cannot be opened for reading", name));
  // The file may grow while it is read: never more than the limit.
  std::string text(error ? 0 : size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

}  // namespace

Json parse_json(std::string_view text, const std::string& name) {
  const bool blank = std::ranges::all_of(
      text, [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
  if (blank) throw SceneError(fmt::format("{}: the file is empty", name));
  Builder builder(text, name);
  constexpr bool whole_text = true, ignore_comments = true;
  Json::sax_parse(text, &builder, nlohmann::detail::input_format_t::json, whole_text,
                  ignore_comments);
  return builder.take();
}

Json read_json_file(const std::filesystem::path& file) {
  return parse_json(read_text(file), file.string());
}

std::string find_path(const Json& root, const Json& value) {
  std::string path;
  if (!prepend_path(root, value, path)) return {};
  return path.starts_with('.') ? path.substr(1) : path;
}

}  // namespace ligament
