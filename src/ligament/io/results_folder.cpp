// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "ligament/io/results.h"

namespace ligament {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what,
                       const std::string& why) {
  throw ResultsError(fmt::format("{}: {}: {}", path.string(), what, why));
}

}  // namespace

ResultsFolder::ResultsFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  for (std::filesystem::path above = folder_; !above.empty() && !exists(above, error);
       above = above.parent_path()) {
    if (above.has_filename()) made_.insert(made_.begin(), above);
    if (above == above.parent_path()) break;
  }
  create_directories(folder_, error);
  std::error_code ignored;
  const bool there = is_directory(folder_, ignored);
  if (!there && !error) error = std::make_error_code(std::errc::not_a_directory);
  if (there) return;
  remove_unpublished();
  fail(folder_, "the folder for the results cannot be made", error.message());
}

ResultsFolder::~ResultsFolder() { remove_unpublished(); }

void ResultsFolder::remove_unpublished() const {
  std::error_code ignored;
  for (const std::string& name : parts_) std::filesystem::remove(part_of(name), ignored);
  // Of the folders that were made only empty ones go: remove() leaves others alone.
  for (auto made = made_.rbegin(); made != made_.rend(); ++made)
    std::filesystem::remove(*made, ignored);
}

std::filesystem::path ResultsFolder::part(const std::string& name) {
  parts_.push_back(name);
  return part_of(name);
}

std::filesystem::path ResultsFolder::part_of(const std::string& name) const {
  // With the number of the process: two runs into one folder do not mix.
  return folder_ / fmt::format("{}.{}.part", name, getpid());
}

void ResultsFolder::publish(const std::vector<std::string>& names) {
  std::error_code error;
  // An old summary must not stand beside a new trajectory.
  std::filesystem::remove(folder_ / names.back(), error);
  for (const std::string& name : names) {
    std::filesystem::rename(part_of(name), folder_ / name, error);
    if (error) fail(folder_ / name, "the file cannot be moved into place", error.message());
  }
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) fail(file, "the file cannot be written", std::strerror(errno));
}

}  // namespace ligament
