// SPDX-License-Identifier: Apache-2.0
// replay.html: numbers survive the packing, frames are thinned, pages stay small.

#include "ligament/io/replay/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <string_view>

#include "ligament/io/replay/packing.h"
#include "ligament/model/model_builder.h"

namespace ligament {
namespace {

// The format read back, as packing.h describes it and not as it is written.
class Unpacker {
 public:
  explicit Unpacker(const Bytes& bytes) : bytes_(bytes) {}
  std::int64_t integer() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t byte = bytes_.at(at_++);
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if (byte < 0x80U) break;
    }
    const auto half = static_cast<std::int64_t>(value / 2);
    return value % 2 == 0 ? half : -half - 1;
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  const Bytes& bytes_;
  std::size_t at_ = 0;
};

TEST(Packing, integers_of_all_sizes_come_back) {
  const std::vector<std::int32_t> values{0,         1,          -1,        63,      -64,
                                         64,        8191,       -8192,     1000000, -1000000000,
                                         INT32_MAX, -INT32_MAX, INT32_MIN, 0};
  Bytes bytes;
  for (const std::int32_t value : values) append_integer(value, bytes);
  Unpacker unpacker(bytes);
  for (const std::int32_t value : values) EXPECT_EQ(unpacker.integer(), value);
  EXPECT_TRUE(unpacker.at_end());
}

TEST(Packing, series_are_differences_from_the_guess) {
  const std::vector<std::int32_t> line{5, 8, 11, 14, 17, 20};
  Bytes first, second;
  append_series(line, 1, first);
  append_series(line, 2, second);
  Unpacker a(first), b(second);
  // Order 1: value before. Order 2: line through two values, after the first two.
  for (const int expected : {5, 3, 3, 3, 3, 3}) EXPECT_EQ(a.integer(), expected);
  for (const int expected : {5, 3, 0, 0, 0, 0}) EXPECT_EQ(b.integer(), expected);
}

TEST(Packing, base64_has_the_examples_of_rfc_4648) {
  const auto encode = [](std::string_view text) {
    return to_base64(Bytes(text.begin(), text.end()));
  };
  EXPECT_EQ(encode(""), "");
  EXPECT_EQ(encode("f"), "Zg==");
  EXPECT_EQ(encode("fo"), "Zm8=");
  EXPECT_EQ(encode("foo"), "Zm9v");
  EXPECT_EQ(encode("foobar"), "Zm9vYmFy");
}

TEST(Packing, deflated_bytes_come_back_by_zlib) {
  Bytes bytes(100'000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * i / 7);
  const Bytes packed = deflate(bytes);
  Bytes back(bytes.size());
  uLongf size = back.size();
  ASSERT_EQ(uncompress(back.data(), &size, packed.data(), packed.size()), Z_OK);
  EXPECT_EQ(back, bytes);
}

TEST(Packing, floats_keep_their_size_to_the_bits_that_stay) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-30, 30);
  constexpr int dropped = 10;
  for (int i = 0; i < 1000; ++i) {
    const auto value = static_cast<float>((i % 2 == 0 ? 1 : -1) * std::exp2(exponent(random)));
    const std::int32_t packed = float_bits(value, dropped);
    const auto bits = static_cast<std::uint32_t>(std::abs(packed)) << dropped;
    float back = 0;
    std::memcpy(&back, &bits, sizeof back);
    // 23 − 10 bits after the leading one, rounded: half of the last of them.
    EXPECT_NEAR(packed < 0 ? -back : back, value, 0x1p-14F * std::abs(value));
    EXPECT_EQ(float_bits(0.0F, dropped), 0);
  }
}

// Bodies that fly and spin apart from each other, none of them at rest: nothing to save on.
Scene make_swarm(int bodies, long steps, double h) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> in(-1.0, 1.0);
  const auto vector = [&] { return Vec3(in(random), in(random), in(random)); };
  ModelBuilder builder{{.gravity = {0, 0, -1.0}}};
  for (int i = 0; i < bodies; ++i)
    builder.add_body({.mass = solid_box({0.1, 0.2, 0.3}, 1000.0),
                      .position = 10.0 * vector(),
                      .velocity = 5.0 * vector(),
                      .angular_velocity = 3.0 * vector()});
  return {.name = "swarm",
          .model = std::move(builder).build(),
          .stepper = Spook{.h = h},
          .steps = steps};
}

RunReport record(const Scene& scene, Recorder& recorder) {
  State state = scene.model.initial_state();
  return run(scene.model, scene.stepper, state,
             {.steps = scene.steps,
              .observers = {[&](const Sample& sample) { recorder.record(sample); }}});
}

TEST(Recorder, keeps_every_step_of_a_short_run_and_sixty_a_second_of_a_long_one) {
  const auto stride_of = [](double h, long steps) {
    const Scene scene = make_swarm(1, steps, h);
    return Recorder(scene).stride();
  };
  EXPECT_EQ(stride_of(1.0 / 60.0, 600), 1);
  EXPECT_EQ(stride_of(1.0 / 240.0, 24000), 4);
  EXPECT_EQ(stride_of(1e-3, 60000), 16);
  EXPECT_EQ(stride_of(1e-5, 300), 1);    // shorter than 600 frames: all of them
  EXPECT_EQ(stride_of(1e-5, 6000), 10);  // 600 of them
  EXPECT_EQ(stride_of(0.1, 100), 1);     // steps longer than a frame
}

TEST(Recorder, thinning_keeps_even_distances_and_both_ends) {
  const Scene scene = make_swarm(2, 101, 1.0 / 60.0);
  Recorder recorder(scene);
  record(scene, recorder);
  EXPECT_FALSE(recorder.thinned());
  ASSERT_EQ(recorder.frames().size(), 102U);
  ASSERT_TRUE(recorder.thin());
  EXPECT_TRUE(recorder.thinned());
  EXPECT_EQ(recorder.stride(), 2);
  EXPECT_EQ(recorder.frames().front().step, 0);
  EXPECT_EQ(recorder.frames().back().step, 101);
  for (std::size_t i = 0; i + 1 < recorder.frames().size(); ++i)
    EXPECT_EQ(recorder.frames()[i].step, static_cast<long>(2 * i));
  while (recorder.thin()) {
  }
  EXPECT_GE(recorder.frames().size(), 2U);
}

TEST(Replay, a_minute_of_a_thousand_bodies_that_all_move_stays_below_25_megabytes) {
  const Scene scene = make_swarm(1000, 3600, 1.0 / 60.0);
  Recorder recorder(scene);
  const RunReport report = record(scene, recorder);
  const std::string page(600'000, ' ');
  const ReplayRun shown{.recorder = recorder, .report = report};
  const std::string html = make_replay(page + std::string(replay_marker), {&shown, 1});
  EXPECT_LT(html.size(), 25'000'000U);
  EXPECT_GE(recorder.frames().size(), 900U);  // 15 a second are left at least
  RecordProperty("bytes", static_cast<int>(html.size()));
  RecordProperty("frames", static_cast<int>(recorder.frames().size()));
}

TEST(Replay, text_of_the_scene_cannot_end_its_element) {
  Scene scene = make_swarm(1, 3, 0.1);
  scene.name = "</script><script>alert(1)</script><!--";
  Recorder recorder(scene);
  const RunReport report = record(scene, recorder);
  const ReplayRun shown{.recorder = recorder, .report = report};
  const std::string html = make_replay(replay_marker, {&shown, 1});
  EXPECT_THAT(html, testing::Not(testing::HasSubstr("alert(1)</script>")));
  EXPECT_THAT(html, testing::Not(testing::HasSubstr("<!--")));
  const std::size_t from = html.find('{'), to = html.find("</script>");
  const auto json = nlohmann::json::parse(html.substr(from, to - from));
  EXPECT_EQ(json["machine"]["name"], scene.name);
}

TEST(Replay, bodies_without_a_shape_are_boxes_of_their_inertia) {
  const Scene scene = make_swarm(1, 1, 0.1);
  Recorder recorder(scene);
  const RunReport report = record(scene, recorder);
  const ReplayRun shown{.recorder = recorder, .report = report};
  const std::string html = make_replay(replay_marker, {&shown, 1});
  const std::size_t from = html.find('{'), to = html.find("</script>");
  const auto json = nlohmann::json::parse(html.substr(from, to - from));
  // The body is a box of half edges 0.1, 0.2, 0.3: the box with its inertia is this one. Its axes
  // may come in another order.
  std::vector<double> half = json["machine"]["bodies"][1]["shapes"][0]["half"];
  std::ranges::sort(half);
  EXPECT_NEAR(half[0], 0.1, 1e-12);
  EXPECT_NEAR(half[1], 0.2, 1e-12);
  EXPECT_NEAR(half[2], 0.3, 1e-12);
}

}  // namespace
}  // namespace ligament
