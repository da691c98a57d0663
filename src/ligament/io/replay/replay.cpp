// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/replay/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "ligament/io/replay/machine_json.h"
#include "ligament/version.h"

namespace ligament {
namespace {

using Json = nlohmann::ordered_json;
using Frames = std::vector<ReplayFrame>;

constexpr int dropped_bits = 10;  // of the 23 of a float, where joints are concerned
constexpr double quaternion_grid = 1.0 / 32767.0;

// A power of two: fine for the size of the machine at its start, and such that the farthest
// position fits an integer.
double choose_grid(const Frames& frames) {
  double size = 0.0, farthest = 0.0;
  std::array<double, 3> low, high;
  low.fill(1e300);
  high.fill(-1e300);
  for (std::size_t i = 0; i < frames.front().poses.size(); ++i) {
    if (i % 7 >= 3) continue;
    const double x = static_cast<double>(frames.front().poses[i]);
    low[i % 7] = std::min(low[i % 7], x);
    high[i % 7] = std::max(high[i % 7], x);
  }
  for (std::size_t k = 0; k < 3; ++k) size = std::max(size, high[k] - low[k]);
  for (const ReplayFrame& frame : frames) {
    for (std::size_t i = 0; i < frame.poses.size(); ++i)
      if (i % 7 < 3) farthest = std::max(farthest, std::abs(static_cast<double>(frame.poses[i])));
    for (const FrameContact& contact : frame.contacts)
      for (const float x : contact.point)
        farthest = std::max(farthest, std::abs(static_cast<double>(x)));
  }
  const double wanted = std::clamp(size, 0.01, 1e6) * 0x1p-21;
  return std::exp2(std::ceil(std::log2(std::max(wanted, farthest * 0x1p-30))));
}

// Fine for the typical speed: what is thrown off fast does not make the rest coarse.
double choose_velocity_grid(const Frames& frames) {
  double square = 0.0, fastest = 0.0;
  std::size_t count = 0;
  for (const ReplayFrame& frame : frames) {
    count += frame.velocities.size();
    for (const float v : frame.velocities) {
      const double x = static_cast<double>(v);
      square += x * x;
      fastest = std::max(fastest, std::abs(x));
    }
  }
  const double typical = std::sqrt(square / static_cast<double>(std::max<std::size_t>(count, 1)));
  return std::max({typical * 0x1p-12, fastest * 0x1p-20, 1e-9});
}

double choose_force_grid(const Frames& frames) {
  double most = 1e-30;
  for (const ReplayFrame& frame : frames)
    for (const FrameContact& contact : frame.contacts)
      for (const float x : contact.force) most = std::max(most, std::abs(static_cast<double>(x)));
  return most * 0x1p-18;
}

std::int32_t to_grid(double value, double grid) {
  return static_cast<std::int32_t>(std::lround(value / grid));
}

// The sections of one run.
class Packer {
 public:
  explicit Packer(const Recorder& recorder)
      : recorder_(recorder),
        frames_(recorder.frames()),
        grid_(choose_grid(frames_)),
        velocity_grid_(choose_velocity_grid(frames_)),
        force_grid_(choose_force_grid(frames_)),
        series_(frames_.size()) {}

  // The bytes, and in `header` what is needed to read them.
  Bytes pack(Json& header, const Bytes& meshes) {
    header["grid"] = grid_;
    header["velocity_grid"] = velocity_grid_;
    header["force_grid"] = force_grid_;
    header["dropped_bits"] = dropped_bits;
    const auto section = [&](const char* name, auto&& write) {
      const std::size_t from = bytes_.size();
      write();
      header["sections"][name] = Json::array({from, bytes_.size() - from});
    };
    // First, so that its floats are aligned.
    section("meshes", [&] { bytes_.insert(bytes_.end(), meshes.begin(), meshes.end()); });
    section("poses", [&] { pack_poses(); });
    section("velocities", [&] { pack_velocities(); });
    section("quantities", [&] { pack_quantities(); });
    section("joints", [&] {
      pack_floats(&ReplayFrame::joints);
      pack_floats(&ReplayFrame::controls);
    });
    section("contacts", [&] { pack_contacts(); });
    return std::move(bytes_);
  }

 private:
  template <class Value>
  void pack_series(int order, Value value_of) {
    for (std::size_t k = 0; k < frames_.size(); ++k) series_[k] = value_of(frames_[k]);
    append_series(series_, order, bytes_);
  }

  void pack_poses() {
    for (std::size_t i = 0; i < frames_.front().poses.size(); i += 7) {
      for (std::size_t c = 0; c < 3; ++c)
        pack_series(2, [&](const ReplayFrame& f) {
          return to_grid(static_cast<double>(f.poses[i + c]), grid_);
        });
      align_signs(i + 3);
      for (std::size_t c = 0; c < 4; ++c)
        pack_series(1, [&, k = std::size_t{0}](const ReplayFrame& f) mutable {
          return to_grid(static_cast<double>(signs_[k++] * f.poses[i + 3 + c]), quaternion_grid);
        });
    }
  }

  // q and −q are one attitude: of the two, the one nearer to that of the frame before.
  void align_signs(std::size_t at) {
    signs_.assign(frames_.size(), 1.0F);
    for (std::size_t k = 1; k < frames_.size(); ++k) {
      float dot = 0.0F;
      for (std::size_t c = 0; c < 4; ++c)
        dot += frames_[k - 1].poses[at + c] * frames_[k].poses[at + c];
      signs_[k] = dot < 0.0F ? -signs_[k - 1] : signs_[k - 1];
    }
  }

  // Each as its difference from the mean velocity between the frames around it, which the page
  // knows: nothing is left to say of what moves evenly.
  void pack_velocities() {
    const double ratio = grid_ / velocity_grid_;
    const std::size_t last = frames_.size() - 1;
    for (std::size_t i = 0; i < frames_.front().velocities.size(); ++i) {
      const std::size_t at = 7 * (i / 3) + i % 3;
      const auto place = [&](std::size_t k) {
        return static_cast<double>(to_grid(static_cast<double>(frames_[k].poses[at]), grid_));
      };
      for (std::size_t k = 0; k <= last; ++k) {
        const std::size_t from = k == 0 ? 0 : k - 1, to = std::min(k + 1, last);
        const double dt = frames_[to].t - frames_[from].t;
        const double mean = dt > 0.0 ? (place(to) - place(from)) * ratio / dt : 0.0;
        const double true_one = static_cast<double>(frames_[k].velocities[i]) / velocity_grid_;
        append_integer(static_cast<std::int32_t>(std::clamp(
                           std::round(true_one - std::floor(mean + 0.5)), -0x1p30, 0x1p30)),
                       bytes_);
      }
    }
  }

  void pack_quantities() {
    for (std::size_t i = 0; i < quantities.size(); ++i)
      pack_series(
          1, [&](const ReplayFrame& f) { return float_bits(static_cast<float>(f.values[i]), 0); });
    pack_series(1, [](const ReplayFrame& f) { return f.worst; });
    pack_series(1, [](const ReplayFrame& f) { return f.all_contacts; });
  }

  void pack_floats(std::vector<float> ReplayFrame::*member) {
    for (std::size_t i = 0; i < (frames_.front().*member).size(); ++i)
      pack_series(1,
                  [&](const ReplayFrame& f) { return float_bits((f.*member)[i], dropped_bits); });
  }

  void pack_contacts() {
    using Numbers = std::array<std::int32_t, 7>;
    const auto append_change = [this](std::int32_t now, std::int32_t& before) {
      append_integer(static_cast<std::int32_t>(static_cast<std::uint32_t>(now) -
                                               static_cast<std::uint32_t>(before)),
                     bytes_);
      before = now;
    };
    std::vector<Numbers> last(recorder_.meter().contacts().size(), Numbers{});
    for (const ReplayFrame& frame : frames_) {
      append_integer(static_cast<std::int32_t>(frame.contacts.size()), bytes_);
      std::int32_t id = 0;
      for (const FrameContact& contact : frame.contacts) {
        append_integer(contact.id - id, bytes_);
        id = contact.id;
        Numbers& before = last[static_cast<std::size_t>(id)];
        for (std::size_t c = 0; c < 6; ++c) {
          const double value = static_cast<double>(c < 3 ? contact.point[c] : contact.force[c - 3]);
          append_change(to_grid(value, c < 3 ? grid_ : force_grid_), before[c]);
        }
        append_change(float_bits(contact.excess, dropped_bits), before[6]);
      }
    }
  }

  const Recorder& recorder_;
  const Frames& frames_;
  double grid_, velocity_grid_, force_grid_;
  std::vector<std::int32_t> series_;
  std::vector<float> signs_;
  Bytes bytes_;
};

Json make_report_json(const RunReport& report) {
  return {{"status", name_of(report.status)},
          {"failure", report.failure},
          {"stepper", report.stepper},
          {"solver", report.solver},
          {"h", report.h},
          {"steps", report.steps},
          {"cpu_seconds", report.cpu_seconds},
          {"violation_max", report.violation_max},
          {"violation_worst", report.violation_worst},
          {"residual_max", report.residual_max},
          {"penetration_max", report.penetration_max},
          {"as_asked", report.error.as_asked},
          {"simulated", report.error.text()},
          {"warnings", report.warnings}};
}

Json make_quantities_json() {
  Json json = Json::array();
  for (const Quantity& quantity : quantities)
    json.push_back({{"name", quantity.name},
                    {"group", quantity.group},
                    {"label", quantity.label},
                    {"unit", quantity.unit}});
  return json;
}

Json make_groups_json() {
  Json json = Json::array();
  for (const QuantityGroup& group : quantity_groups)
    json.push_back(
        {{"name", group.name}, {"title", group.title}, {"logarithmic", group.logarithmic}});
  return json;
}

// A run as the two script elements that hold it.
std::string make_run(const ReplayRun& run, std::size_t number) {
  Bytes meshes;
  const Recorder& recorder = run.recorder;
  Json json{{"format", 1},
            {"ligament", version_string},
            {"label", run.label},
            {"machine", make_machine_json(recorder.scene(), meshes)},
            {"report", make_report_json(run.report)},
            {"stride", recorder.stride()},
            {"thinned", recorder.thinned()},
            {"joint_numbers", joint_numbers}};
  add_vocabulary(json);
  json["rows"] = recorder.meter().rows();
  for (const FrameMeter::Pair& pair : recorder.meter().contacts())
    json["contact_bodies"].push_back({pair.a.value, pair.b.value});
  for (const ReplayFrame& frame : recorder.frames()) {
    json["steps"].push_back(frame.step);
    json["times"].push_back(frame.t);
  }
  const Bytes bytes = Packer(recorder).pack(json, meshes);
  return fmt::format(
      "<script type=\"application/json\" class=\"ligament-run\" id=\"run-{0}\">{1}</script>\n"
      "<script type=\"text/plain\" id=\"run-{0}-numbers\">{2}</script>\n",
      number, to_script_json(json), to_base64(deflate(bytes)));
}

}  // namespace

void add_vocabulary(Json& json) {
  json["quantities"] = make_quantities_json();
  json["groups"] = make_groups_json();
}

// No "</script" or "<!--" can end the element: '<' is written by its number.
std::string to_script_json(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text)
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  return out;
}

std::string fill_page(std::string_view page, std::string_view text) {
  const std::size_t at = page.find(replay_marker);
  if (at == std::string_view::npos) throw std::logic_error("the page has no place for runs");
  std::string out;
  out.reserve(page.size() + text.size());
  out.append(page.substr(0, at)).append(text).append(page.substr(at + replay_marker.size()));
  return out;
}

std::string make_replay(std::string_view page, std::span<const ReplayRun> runs) {
  for (;;) {
    std::string text;
    for (std::size_t i = 0; i < runs.size(); ++i) text += make_run(runs[i], i);
    bool thinned = false;
    if (page.size() + text.size() > most_page_bytes)
      for (const ReplayRun& run : runs) thinned = run.recorder.thin() || thinned;
    if (!thinned) return fill_page(page, text);
  }
}

}  // namespace ligament
