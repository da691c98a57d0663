// SPDX-License-Identifier: Apache-2.0
// Scenes given as text, read from a file as a user's would be.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "ligament/io/scene.h"

namespace ligament {

// A folder of its own for one test, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static std::atomic<int> count{0};
    path_ = std::filesystem::temp_directory_path() /
            ("ligament-test-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline void write_file(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

inline Scene read_text_as_scene(const std::string& text,
                                const std::vector<Override>& overrides = {}) {
  const TemporaryFolder folder;
  write_file(folder / "scene.json", text);
  return read_scene(folder / "scene.json", overrides);
}

// What is wrong with a scene, without the folder in front; empty if nothing is.
inline std::string error_of(const std::string& text, const std::vector<Override>& overrides = {}) {
  try {
    read_text_as_scene(text, overrides);
  } catch (const SceneError& error) {
    const std::string what = error.what();
    const std::size_t name = what.find("scene.json");
    return name == std::string::npos ? what : what.substr(name);
  }
  return {};
}

// A scene around some bodies, joints, controls and loads.
inline std::string scene_with(const std::string& bodies, const std::string& joints = "",
                              const std::string& controls = "", const std::string& loads = "") {
  return R"({"ligament": 1, "bodies": [)" + bodies + R"(], "joints": [)" + joints +
         R"(], "controls": [)" + controls + R"(], "loads": [)" + loads +
         R"(], "run": {"steps": 1}})";
}

}  // namespace ligament
