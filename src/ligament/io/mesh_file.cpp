// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "ligament/geometry/geometry_error.h"
#include "ligament/io/nearest.h"

namespace ligament {
namespace {

constexpr std::uintmax_t largest_file = std::uintmax_t{2} << 30U;  // [bytes]

// What a file says, before it is checked as a mesh.
struct Triangles {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
};

// Words of a text, and the line that they stand in.
struct Place {
  const std::string& file;
  std::size_t line = 1;

  [[noreturn]] void fail(const std::string& what) const {
    throw MeshFileError(fmt::format("{}:{}: {}", file, line, what));
  }
};

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Takes the next word of a line off it; empty at its end.
std::string_view take_word(std::string_view& line) {
  const char *begin = line.data(), *const end = begin + line.size();
  while (begin != end && is_blank(*begin)) ++begin;
  const char* after = begin;
  while (after != end && !is_blank(*after)) ++after;
  line = std::string_view(after, static_cast<std::size_t>(end - after));
  return {begin, static_cast<std::size_t>(after - begin)};
}

// A whole word as a number, in the same way under every locale.
template <class Number>
std::optional<Number> parse_number(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return number;
}

double read_coordinate(std::string_view word, const Place& at) {
  if (word.empty()) at.fail("the vertex has fewer than 3 coordinates: it must have x, y and z");
  const std::optional<double> number = parse_number<double>(word);
  if (!number || !std::isfinite(*number))
    at.fail(fmt::format("the coordinate {} is no finite number: it must be like 0.25 or -1e-3",
                        quote(word)));
  return *number;
}

// OBJ: one item a line, indices from 1.

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& file) : text_(text), at_{file} {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);  // the mark of UTF-8
  }

  Triangles read() {
    std::size_t lines = 1;
    for (; !text_.empty(); lines += taken_) {
      at_.line = lines;
      read_item(take_line());
    }
    if (largest_ > std::ssize(mesh_.vertices)) {
      at_.line = largest_line_;
      at_.fail(fmt::format("the face has the vertex {}: the file has vertices 1 … {}", largest_,
                           mesh_.vertices.size()));
    }
    for (const Polygon& polygon : polygons_) require_convex(polygon);
    return std::move(mesh_);
  }

 private:
  struct Polygon {
    std::size_t first, count, line;  // its triangles
  };

  // The next line without its comment; one that ends in a backslash goes on in the next.
  std::string_view take_line() {
    joined_.clear();
    for (taken_ = 1;; ++taken_) {
      std::string_view line = text_.substr(0, text_.find('\n'));
      text_.remove_prefix(std::min(line.size() + 1, text_.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      const bool comment = line.find('#') != std::string_view::npos;
      const bool goes_on = line.ends_with('\\') && !comment && !text_.empty();
      if (goes_on) line.remove_suffix(1);
      if (taken_ == 1 && !goes_on) return line.substr(0, line.find('#'));
      joined_ += line;
      joined_ += ' ';
      if (!goes_on) return std::string_view(joined_).substr(0, joined_.find('#'));
    }
  }

  void read_item(std::string_view line) {
    const std::string_view keyword = take_word(line);
    if (keyword == "v") {
      if (mesh_.vertices.size() >= 3 * most_mesh_triangles)
        at_.fail(fmt::format("more than {} vertices", 3 * most_mesh_triangles));
      for (double& x : mesh_.vertices.emplace_back()) x = read_coordinate(take_word(line), at_);
    } else if (keyword == "f") {
      read_face(line);
    }
  }

  void read_face(std::string_view line) {
    corners_.clear();
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line))
      corners_.push_back(read_corner(word));
    if (corners_.size() < 3)
      at_.fail(fmt::format("the face has {} corners: it must have at least 3", corners_.size()));
    if (mesh_.triangles.size() + corners_.size() - 2 > most_mesh_triangles)
      at_.fail(fmt::format("more than {} triangles", most_mesh_triangles));
    if (corners_.size() > 3)
      polygons_.push_back({mesh_.triangles.size(), corners_.size() - 2, at_.line});
    for (std::size_t k = 1; k + 1 < corners_.size(); ++k)
      mesh_.triangles.push_back({corners_[0], corners_[k], corners_[k + 1]});
  }

  // 7, 7/1, 7//3 or 7/1/3; negative: from the last vertex so far backwards. Whether a positive one
  // exists is known at the end of the file.
  std::int32_t read_corner(std::string_view word) {
    const std::string_view number = word.substr(0, word.find('/'));
    const bool known_form = word.find_first_not_of("0123456789+-/") == std::string_view::npos;
    const std::optional<std::int32_t> index = parse_number<std::int32_t>(number);
    if (!index || *index == 0 || !known_form)
      at_.fail(fmt::format("the corner {} is none: it must be like 7, 7/1, 7//3, 7/1/3 or -1",
                           quote(word)));
    const auto count = static_cast<std::int32_t>(mesh_.vertices.size());
    if (*index < -count)
      at_.fail(fmt::format("the face has the vertex {}: there are {} above it", *index, count));
    if (*index > largest_) {
      largest_ = *index;
      largest_line_ = at_.line;
    }
    return *index < 0 ? count + *index : *index - 1;
  }

  // Triangles from the first corner cover a polygon only if none of them is turned over. A
  // hundredth of its area is left to rounding and to corners that are not quite in one plane.
  void require_convex(const Polygon& polygon) const {
    std::vector<Vec3> areas;
    Vec3 whole = Vec3::Zero();
    for (std::size_t i = 0; i < polygon.count; ++i) {
      const TriangleIndices& t = mesh_.triangles[polygon.first + i];
      const Vec3& a = mesh_.vertices[static_cast<std::size_t>(t[0])];
      const Vec3 ab = mesh_.vertices[static_cast<std::size_t>(t[1])] - a;
      areas.push_back(ab.cross(mesh_.vertices[static_cast<std::size_t>(t[2])] - a));
      whole += areas.back();
    }
    for (const Vec3& area : areas)
      if (area.dot(whole) < -0.01 * whole.squaredNorm())
        throw MeshFileError(
            fmt::format("{}:{}: the face with {} corners is not convex: cut it into triangles",
                        at_.file, polygon.line, polygon.count + 2));
  }

  std::string_view text_;  // what is left of it
  Place at_;
  std::string joined_;
  std::size_t taken_ = 1;  // lines that the item stands on
  Triangles mesh_;
  std::vector<Polygon> polygons_;
  std::vector<std::int32_t> corners_;
  std::int32_t largest_ = 0;  // of the indices
  std::size_t largest_line_ = 1;
};

// STL as text: words in a fixed order.

class StlTextReader {
 public:
  StlTextReader(std::string_view text, const std::string& file) : text_(text), at_{file, 0} {}

  Triangles read() {
    for (std::string_view word = take(); !word.empty(); word = take()) {
      require(word, "solid");
      skip_line();  // the name
      for (word = take(); to_lower(word) != "endsolid"; word = take()) {
        require(word, "facet");
        read_facet();
      }
      skip_line();
    }
    return std::move(mesh_);
  }

 private:
  // The next word; empty at the end of the file.
  std::string_view take() {
    std::string_view word = take_word(line_);
    while (word.empty() && !text_.empty()) {
      next_line();
      word = take_word(line_);
    }
    return word;
  }
  void next_line() {
    line_ = text_.substr(0, text_.find('\n'));
    text_.remove_prefix(std::min(line_.size() + 1, text_.size()));
    ++at_.line;
  }
  void skip_line() { line_ = {}; }

  void require(std::string_view word, std::string_view expected) const {
    if (word == expected || to_lower(word) == expected) return;
    if (word.empty())
      at_.fail(fmt::format("the file ends here: \"{}\" must follow: is it complete?", expected));
    at_.fail(
        fmt::format("the word {} is out of place: \"{}\" must stand here", quote(word), expected));
  }

  // The normal is not read: that of the corners is known better.
  void read_facet() {
    require(take(), "normal");
    for (int i = 0; i < 3; ++i) take();
    for (const char* word : {"outer", "loop"}) require(take(), word);
    if (mesh_.triangles.size() >= most_mesh_triangles)
      at_.fail(fmt::format("more than {} triangles", most_mesh_triangles));
    const auto first = static_cast<std::int32_t>(mesh_.vertices.size());
    for (int i = 0; i < 3; ++i) {
      require(take(), "vertex");
      for (double& x : mesh_.vertices.emplace_back()) x = read_coordinate(take(), at_);
    }
    for (const char* word : {"endloop", "endfacet"}) require(take(), word);
    mesh_.triangles.push_back({first, first + 1, first + 2});
  }

  std::string_view text_, line_;  // what is left of the file, and of its line
  Place at_;                      // no line yet
  Triangles mesh_;
};

// Binary STL, little-endian: 80 bytes of anything, the count, and for each triangle its normal, its
// corners and two bytes more.
constexpr std::size_t stl_header = 84, stl_triangle = 50;  // [bytes]

std::uint32_t read_uint32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8U * i);
  return value;
}

std::uint64_t find_stl_size(std::string_view bytes) {
  return stl_header + std::uint64_t{stl_triangle} * read_uint32(bytes, stl_header - 4);
}

Triangles read_binary_stl(std::string_view bytes, const std::string& file) {
  if (bytes.size() < stl_header)
    throw MeshFileError(fmt::format("{}: the file has {} bytes: a binary STL file has {} or more",
                                    file, bytes.size(), stl_header));
  const std::size_t count = read_uint32(bytes, stl_header - 4);
  if (bytes.size() != find_stl_size(bytes))
    throw MeshFileError(
        fmt::format("{}: the file has {} bytes: the {} triangles that it says it has "
                    "take {}: is it complete?",
                    file, bytes.size(), count, find_stl_size(bytes)));
  if (count > most_mesh_triangles)
    throw MeshFileError(fmt::format("{}: the file has {} triangles: it may have {} at most", file,
                                    count, most_mesh_triangles));
  Triangles mesh;
  mesh.vertices.reserve(3 * count);
  mesh.triangles.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = static_cast<std::int32_t>(3 * i);
    mesh.triangles.push_back({first, first + 1, first + 2});
    for (std::size_t k = 0; k < 9; ++k) {
      const std::size_t at = stl_header + stl_triangle * i + 12 + 4 * k;
      const auto x = static_cast<double>(std::bit_cast<float>(read_uint32(bytes, at)));
      if (!std::isfinite(x))
        throw MeshFileError(
            fmt::format("{}: corner {} of triangle {} has the coordinate {}: it must "
                        "be finite",
                        file, k / 3, i, x));
      if (k % 3 == 0) mesh.vertices.emplace_back();
      mesh.vertices.back()(static_cast<Eigen::Index>(k % 3)) = x;
    }
  }
  return mesh;
}

// The word "solid" does not tell: binary files begin with it, too.
Triangles read_stl(std::string_view bytes, const std::string& file) {
  const bool right_size = bytes.size() >= stl_header && bytes.size() == find_stl_size(bytes);
  std::string_view start = bytes.substr(0, stl_header);
  start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  const bool is_text =
      to_lower(start.substr(0, 5)) == "solid" && bytes.find('\0') == std::string_view::npos;
  if (right_size || !is_text) return read_binary_stl(bytes, file);
  return StlTextReader(bytes, file).read();
}

std::string read_bytes(const std::filesystem::path& file) {
  const std::string name = file.string();
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status))
    throw MeshFileError(fmt::format("{}: there is no such file", name));
  if (!std::filesystem::is_regular_file(status))
    throw MeshFileError(
        fmt::format("{}: this is not a file but {}: name a mesh file", name,
                    std::filesystem::is_directory(status) ? "a folder" : "a device"));
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error || size > largest_file)
    throw MeshFileError(fmt::format("{}: the file is larger than {} MiB: use a coarser mesh", name,
                                    largest_file >> 20U));
  std::ifstream in(file, std::ios::binary);
  if (!in) throw MeshFileError(fmt::format("{}: the file cannot be opened for reading", name));
  std::string bytes(size, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  if (static_cast<std::uintmax_t>(in.gcount()) != size)
    throw MeshFileError(fmt::format("{}: the file could not be read to its end", name));
  if (bytes.find_first_not_of(" \t\r\n") == std::string::npos)
    throw MeshFileError(fmt::format("{}: the file is empty: it must have triangles", name));
  return bytes;
}

Triangles read_file(const std::filesystem::path& file, double scale) {
  const std::string name = file.string(), extension = to_lower(file.extension().string());
  if (!(scale > 0.0) || !std::isfinite(scale))
    throw MeshFileError(fmt::format("{}: the scale is {}: it must be finite and > 0", name, scale));
  if (extension != ".obj" && extension != ".stl")
    throw MeshFileError(fmt::format("{}: the extension {} is not known: .obj and .stl are read",
                                    name, quote(extension)));
  const std::string bytes = read_bytes(file);
  Triangles mesh = extension == ".obj" ? ObjReader(bytes, name).read() : read_stl(bytes, name);
  for (Vec3& vertex : mesh.vertices) vertex *= scale;
  return mesh;
}

}  // namespace

std::shared_ptr<const TriangleMesh> read_mesh(const std::filesystem::path& file, double scale) {
  Triangles mesh = read_file(file, scale);
  try {
    return make_mesh(std::move(mesh.vertices), std::move(mesh.triangles));
  } catch (const GeometryError& error) {
    throw MeshFileError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

std::vector<Vec3> read_mesh_points(const std::filesystem::path& file, double scale) {
  const std::vector<Vec3> all = read_file(file, scale).vertices;
  if (all.empty())
    throw MeshFileError(
        fmt::format("{}: the file has no vertices: it must have some", file.string()));
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) { return std::tuple(all[i].x(), all[i].y(), all[i].z(), i); };
  std::ranges::sort(order, {}, key);
  const auto same = [&](std::size_t i, std::size_t k) { return all[i] == all[k]; };
  order.erase(std::unique(order.begin(), order.end(), same), order.end());
  std::ranges::sort(order);
  std::vector<Vec3> points;
  points.reserve(order.size());
  for (const std::size_t i : order) points.push_back(all[i]);
  return points;
}

}  // namespace ligament
