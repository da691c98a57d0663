// SPDX-License-Identifier: Apache-2.0
#include "ligament/problem/dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <istream>
#include <limits>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ligament {
namespace {

constexpr std::string_view title = "ligament-step-problem";
constexpr int version = 1;
constexpr int longest_line = 4096;  // the longest line of a problem has 40 words

// ---- writing

void write_number(double x, std::string& line) {
  std::array<char, 32> text;
  char* const end = std::to_chars(text.data(), text.data() + text.size(), x).ptr;
  line += ' ';
  line.append(text.data(), end);
}

void write_numbers(std::span<const double> numbers, std::string& line) {
  for (const double x : numbers) write_number(x, line);
}

std::span<const double> rows_of(const VecX& v, const RowBlock& block) {
  return {v.data() + block.first_row, static_cast<std::size_t>(block.rows)};
}

void write_body(const BodyBlock& body, const VecX& p, std::string& line) {
  line = fmt::format("body {}", body.size);
  if (body.size == 6) line += body.symmetric ? " symmetric" : " general";
  line += " mass";
  write_number(body.mass, line);
  if (body.size == 6) {
    line += " rotation";
    for (int i = 0; i < 9; ++i) write_number(body.rotation(i / 3, i % 3), line);
  }
  line += " p";
  write_numbers({p.data() + body.offset, static_cast<std::size_t>(body.size)}, line);
  line += '\n';
}

// The numbers that follow the name of a law.
struct LawParameters {
  std::array<double, 2> values{};
  std::size_t count = 0;
};

LawParameters parameters_of(const Law& law) {
  struct Visitor {
    LawParameters operator()(const Equality&) const { return {}; }
    LawParameters operator()(const Unilateral&) const { return {}; }
    LawParameters operator()(const Box& box) const {
      if (box.normal >= 0) return {{double(box.normal), box.mu}, 2};
      return {{box.lower, box.upper}, 2};
    }
    LawParameters operator()(const Disc& disc) const {
      if (disc.normal >= 0) return {{double(disc.normal), disc.mu}, 2};
      return {{disc.radius}, 1};
    }
    LawParameters operator()(const Cone& cone) const { return {{cone.mu}, 1}; }
    LawParameters operator()(const Coulomb& law) const { return {{law.mu}, 1}; }
  };
  return std::visit(Visitor{}, law);
}

void write_entry(const BlockRows& G, const RowBlock& block, const BlockEntry& entry,
                 std::string& line) {
  line += fmt::format("entry {}", entry.body);
  const Eigen::Map<const MatX> by_columns(G.entry_values(entry), block.rows, entry.columns);
  for (int r = 0; r < block.rows; ++r)
    for (int c = 0; c < entry.columns; ++c) write_number(by_columns(r, c), line);
  line += '\n';
}

void write_block(const StepProblem& problem, std::size_t i, std::string& line) {
  const RowBlock& block = problem.G.blocks[i];
  const LawParameters law = parameters_of(problem.laws[i]);
  line = fmt::format("block {} {}{}", block.rows, name_of(problem.laws[i]),
                     normal_row_of(problem.laws[i]) >= 0 ? "_of" : "");
  write_numbers({law.values.data(), law.count}, line);
  line += fmt::format(" entries {}\nsigma", block.entries);
  write_numbers(rows_of(problem.Sigma, block), line);
  line += "\nb";
  write_numbers(rows_of(problem.b, block), line);
  line += '\n';
  for (const BlockEntry& entry : problem.G.entries_of(block))
    write_entry(problem.G, block, entry, line);
}

// One line, whatever names have in them, and none that is too long to be read.
void write_note(std::string note, std::ostream& out) {
  constexpr std::size_t longest = 1000;
  for (char& c : note)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  out << "# " << note.substr(0, longest) << '\n';
}

// ---- reading

// The file, a line at a time and a word at a time.
class Words {
 public:
  explicit Words(std::istream& in) : in_(in) {}

  [[noreturn]] void fail(std::string_view what) const {
    throw std::runtime_error(fmt::format("line {}: {}", line_number_, what));
  }

  [[noreturn]] void fail_at(std::string_view found, std::string_view expected) const {
    const bool is_long = found.size() > 40;
    fail(fmt::format("expected {}, found \"{}{}\"", expected, found.substr(0, 40),
                     is_long ? "…" : ""));
  }

  // Goes to the next line that is neither blank nor a note, which must begin with the keyword.
  void begin_line(std::string_view keyword) {
    do {
      read_line(keyword);
    } while (rest_.empty() || rest_.front() == '#');
    expect(keyword);
  }

  void end_line() {
    if (!rest_.empty()) fail_at(rest_, "the end of the line");
  }

  bool at_end() {
    std::string more;
    return !(in_ >> more);
  }

  std::string_view word(std::string_view expected) {
    if (rest_.empty()) fail(fmt::format("the line ends too early; expected {}", expected));
    const std::size_t end = std::min(rest_.find_first_of(blanks), rest_.size());
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    skip_blanks();
    return word;
  }

  void expect(std::string_view keyword) {
    const std::string_view found = word(keyword);
    if (found != keyword) fail_at(found, fmt::format("\"{}\"", keyword));
  }

  double number(std::string_view expected) {
    double value = 0.0;
    parse(expected, value);
    return value;
  }

  double finite_number(std::string_view expected) {
    const double value = number(expected);
    if (!std::isfinite(value)) fail(fmt::format("{} must be finite (is {})", expected, value));
    return value;
  }

  double non_negative_number(std::string_view expected) {
    const double value = finite_number(expected);
    if (value < 0.0) fail(fmt::format("{} must be ≥ 0 (is {})", expected, value));
    return value;
  }

  int integer(std::string_view expected, int lowest, int highest) {
    int value = 0;
    const std::string_view text = parse(expected, value);
    if (value < lowest || value > highest)
      fail_at(text, fmt::format("{}, {} … {}", expected, lowest, highest));
    return value;
  }

 private:
  static constexpr std::string_view blanks = " \t\r";

  void read_line(std::string_view keyword) {
    std::array<char, longest_line> buffer;
    ++line_number_;
    in_.getline(buffer.data(), buffer.size());
    if (in_.gcount() == 0 || in_.bad())
      fail(fmt::format("the file ends too early; expected \"{}\"", keyword));
    if (in_.fail() && !in_.eof())
      fail(fmt::format("the line is longer than {} characters", longest_line));
    line_.assign(buffer.data(), static_cast<std::size_t>(in_.gcount() - (in_.eof() ? 0 : 1)));
    rest_ = line_;
    skip_blanks();
  }

  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
  }

  template <class T>
  std::string_view parse(std::string_view expected, T& value) {
    const std::string_view text = word(expected);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) fail_at(text, expected);
    return text;
  }

  std::istream& in_;
  std::string line_;
  std::string_view rest_;  // of line_, from the next word on
  long line_number_ = 0;
};

constexpr int many = std::numeric_limits<int>::max() / 64;  // bodies, blocks: offsets fit an int

void read_title(Words& words) {
  words.begin_line(title);
  const int found = words.integer("the version of the format", 1, 1000);
  if (found != version)
    words.fail(fmt::format("this is version {} of the format; only {} is known", found, version));
  words.end_line();
}

int read_count(Words& words, std::string_view keyword) {
  words.begin_line(keyword);
  const int count = words.integer("their number", 0, many);
  words.end_line();
  return count;
}

void read_rotation(Words& words, BodyBlock& body) {
  for (int i = 0; i < 9; ++i)
    body.rotation(i / 3, i % 3) = words.finite_number("an entry of the rotational block");
  const Mat3& A = body.rotation;
  if (!(A.diagonal().minCoeff() > 0.0))
    words.fail("the diagonal of the rotational block must be > 0");
  const double size = A.cwiseAbs().maxCoeff();
  if (body.symmetric && (A - A.transpose()).cwiseAbs().maxCoeff() > 1e-9 * size)
    words.fail("the rotational block is not symmetric: expected \"general\" or equal entries");
}

void read_body(Words& words, StepProblem& problem, std::vector<double>& p) {
  words.begin_line("body");
  const int size = words.integer("the size of the body, 3 or 6", 3, 6);
  if (size != 3 && size != 6) words.fail(fmt::format("the size must be 3 or 6 (is {})", size));
  BodyBlock& body = problem.M.blocks[static_cast<std::size_t>(problem.M.add_block(size))];
  if (size == 6) {
    const std::string_view symmetry = words.word("\"symmetric\" or \"general\"");
    if (symmetry != "symmetric" && symmetry != "general")
      words.fail_at(symmetry, "\"symmetric\" or \"general\"");
    body.symmetric = symmetry == "symmetric";
  }
  words.expect("mass");
  body.mass = words.finite_number("the mass");
  if (!(body.mass > 0.0)) words.fail(fmt::format("the mass must be > 0 (is {})", body.mass));
  if (size == 6) {
    words.expect("rotation");
    read_rotation(words, body);
  }
  words.expect("p");
  for (int i = 0; i < size; ++i) p.push_back(words.finite_number("a component of p"));
  words.end_line();
}

Box read_box(Words& words) {
  const double lower = words.number("the lower bound");
  const double upper = words.number("the upper bound");
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (!(lower <= upper) || lower == infinite || upper == -infinite)
    words.fail(fmt::format("the bounds of a box must be ordered (are {} and {})", lower, upper));
  return {.lower = lower, .upper = upper};
}

// The law of a block of `rows` rows; a bound may hang on one of the `before` rows before it.
Law read_law(Words& words, int rows, int before) {
  constexpr std::string_view expected =
      "a law: equality, unilateral, box, disc, box_of, disc_of, cone or coulomb";
  const std::string_view law = words.word(expected);
  if (law == name_of(Equality{})) return Equality{};
  if (law == name_of(Unilateral{})) return Unilateral{};
  if (law == name_of(Box{})) return read_box(words);
  if (law == name_of(Disc{})) return Disc{.radius = words.non_negative_number("the radius")};
  if (law == name_of(Cone{})) return Cone{.mu = words.non_negative_number("mu")};
  if (law == name_of(Coulomb{})) {
    if (rows != 3) words.fail(fmt::format("coulomb is a law of 3 rows, this block has {}", rows));
    return Coulomb{.mu = words.non_negative_number("mu")};
  }
  if (law == "box_of" || law == "disc_of") {
    const int normal =
        words.integer("the row of the normal impulse, before this one", 0, before - 1);
    const double mu = words.non_negative_number("mu");
    if (law == "box_of") return Box{.normal = normal, .mu = mu};
    return Disc{.normal = normal, .mu = mu};
  }
  words.fail_at(law, expected);
}

// What grows while the row blocks are read.
struct Growing {
  std::vector<double> Sigma, b;
  std::vector<int> last_block;  // of each body: the row block that touched it last, −1 if none
  std::vector<int> touched;     // bodies of the block at hand
  std::vector<double> entry_values;  // of the block at hand, entry after entry, by rows
};

void read_entry(Words& words, const StepProblem& problem, int rows, Growing& growing) {
  words.begin_line("entry");
  const int last = static_cast<int>(problem.M.blocks.size()) - 1;
  const int body = words.integer("a body", 0, last);
  const int block = static_cast<int>(problem.G.blocks.size());
  int& last_block = growing.last_block[static_cast<std::size_t>(body)];
  if (last_block == block) words.fail(fmt::format("body {} is already in this block", body));
  last_block = block;
  growing.touched.push_back(body);
  const int count = rows * problem.M.blocks[static_cast<std::size_t>(body)].size;
  for (int i = 0; i < count; ++i)
    growing.entry_values.push_back(words.finite_number("an entry of G"));
  words.end_line();
}

void copy_values(const std::vector<double>& by_rows, const RowBlock& block, BlockRows& G) {
  const double* from = by_rows.data();
  for (const BlockEntry& entry : G.entries_of(block)) {
    Eigen::Map<MatX> by_columns(G.entry_values(entry), block.rows, entry.columns);
    for (int r = 0; r < block.rows; ++r)
      for (int c = 0; c < entry.columns; ++c) by_columns(r, c) = *from++;
  }
}

void read_block(Words& words, StepProblem& problem, Growing& growing) {
  words.begin_line("block");
  const int rows = words.integer("the number of rows", 1, max_block_rows);
  problem.laws.push_back(read_law(words, rows, problem.G.rows));
  words.expect("entries");
  const int bodies = static_cast<int>(problem.M.blocks.size());
  const int entries = words.integer("the number of entries", 1, bodies);
  words.end_line();

  words.begin_line("sigma");
  for (int i = 0; i < rows; ++i) growing.Sigma.push_back(words.non_negative_number("sigma"));
  words.end_line();
  words.begin_line("b");
  for (int i = 0; i < rows; ++i) growing.b.push_back(words.finite_number("a component of b"));
  words.end_line();

  growing.touched.clear();
  growing.entry_values.clear();
  for (int i = 0; i < entries; ++i) read_entry(words, problem, rows, growing);
  if (problem.G.values.size() + growing.entry_values.size() > std::numeric_limits<int>::max())
    words.fail("the problem is too large: G has more than 2³¹ entries");
  problem.G.add_block(rows, growing.touched, problem.M);
  copy_values(growing.entry_values, problem.G.blocks.back(), problem.G);
}

VecX to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

void write_dump(const StepProblem& problem, std::ostream& out, const DumpNotes& notes) {
  std::string line;
  out << title << ' ' << version << '\n';
  for (const std::string& note : notes.head) write_note(note, out);
  out << "bodies " << problem.M.blocks.size() << '\n';
  for (std::size_t i = 0; i < problem.M.blocks.size(); ++i) {
    if (i < notes.bodies.size()) write_note(fmt::format("{}: {}", i, notes.bodies[i]), out);
    write_body(problem.M.blocks[i], problem.p, line);
    out << line;
  }
  out << "blocks " << problem.G.blocks.size() << '\n';
  for (std::size_t i = 0; i < problem.G.blocks.size(); ++i) {
    if (i < notes.blocks.size()) write_note(fmt::format("{}: {}", i, notes.blocks[i]), out);
    write_block(problem, i, line);
    out << line;
  }
  out << "end\n";
}

StepProblem read_dump(std::istream& in) {
  Words words(in);
  StepProblem problem;
  read_title(words);
  std::vector<double> p;
  const int bodies = read_count(words, "bodies");
  for (int i = 0; i < bodies; ++i) read_body(words, problem, p);
  problem.p = to_vector(p);
  problem.G.columns = problem.M.columns;

  Growing growing;
  growing.last_block.assign(problem.M.blocks.size(), -1);
  const int blocks = read_count(words, "blocks");
  for (int i = 0; i < blocks; ++i) read_block(words, problem, growing);
  problem.Sigma = to_vector(growing.Sigma);
  problem.b = to_vector(growing.b);

  words.begin_line("end");
  words.end_line();
  if (!words.at_end()) words.fail("expected nothing after \"end\"");
  return problem;
}

}  // namespace ligament
