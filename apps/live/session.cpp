// SPDX-License-Identifier: Apache-2.0
#include "apps/live/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <nlohmann/json.hpp>

#include "apps/live/messages.h"
#include "ligament/math/alternatives.h"
#include "ligament/simulation/failure.h"

namespace ligament::apps {
namespace {

using Json = nlohmann::ordered_json;
using Seconds = std::chrono::duration<double>;

constexpr auto frame_time = std::chrono::milliseconds(16);
constexpr std::size_t most_tasks = 1000;

}  // namespace

void Broadcast::publish(std::string frame, std::string status) {
  {
    const std::lock_guard lock(mutex_);
    latest_ = {std::move(frame), std::move(status), latest_.number + 1};
  }
  changed_.notify_all();
}

std::optional<Broadcast::Message> Broadcast::wait(std::uint64_t number,
                                                  std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, longest, [&] { return closed_ || latest_.number > number; });
  if (closed_ || latest_.number <= number) return std::nullopt;
  return latest_;
}

void Broadcast::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

Session::Session(const Scene& scene, State start)
    : scene_(scene), start_(std::move(start)), stepper_(scene.stepper) {
  reset();
  thread_ = std::thread([this] { work(); });
}

Session::~Session() { stop(); }

void Session::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  broadcast_.close();
  if (thread_.joinable()) thread_.join();
}

void Session::run_there(std::function<void()> task) {
  auto done = std::make_shared<std::promise<void>>();
  std::future<void> finished = done->get_future();
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || tasks_.size() >= most_tasks)
      throw OrderError("the simulation is too busy to take orders");
    tasks_.push_back([done, task = std::move(task)] {
      try {
        task();
        done->set_value();
      } catch (...) {
        done->set_exception(std::current_exception());
      }
    });
  }
  wake_.notify_all();
  finished.get();
}

std::string Session::obey(const Json& given) {
  // Copies: the caller may be gone when its turn comes.
  auto result = std::make_shared<std::string>();
  run_there([this, given, result] {
    order(given);
    dirty_ = true;
    *result = status().dump();
  });
  return *result;
}

std::string Session::state_json() {
  auto result = std::make_shared<std::string>();
  run_there([this, result] { *result = make_state_json(*model_, state_, step_).dump(); });
  return *result;
}

std::string Session::failure() {
  auto result = std::make_shared<std::string>();
  run_there([this, result] { *result = failure_; });
  return *result;
}

// A new workspace is a cold start, and gives the same motion.
void Session::rebuild() {
  ModelChange change_with_hand = change_;
  if (hand_) change_with_hand.loads.push_back(make_load(hand_));
  workspace_.reset();
  model_ = std::make_unique<Model>(change(scene_.model, change_with_hand));
  workspace_ = std::make_unique<Workspace>(*model_);
}

// What the stepper or its solver do not take of the machine is told before the first step: it is
// tried on a copy of the state.
void Session::look_ahead() {
  State state = state_;
  Workspace work(*model_);
  const StepReport report = step(stepper_, *model_, state, work);
  if (report.solve.status == SolveStatus::unsupported)
    failure_ = describe_failure(report, stepper_, *model_, state, work);
}

void Session::reset() {
  state_ = start_;
  hand_.reset();
  report_.reset();
  failure_.clear();
  step_ = 0;
  ++epoch_;
  rebuild();
  look_ahead();
}

void Session::set_stepper(Stepper stepper) {
  stepper_ = std::move(stepper);
  if (hand_) {
    const Vec3 target = hand_->target;
    hand_ =
        std::make_shared<Hand>(make_hand(*model_, hand_->body, hand_->point, step_size(stepper_)));
    hand_->target = target;
  }
  failure_.clear();
  rebuild();
  look_ahead();
}

void Session::take_step() {
  const auto from = Clock::now();
  if (hand_) pull(*model_, state_, *hand_);
  const StepReport report = step(stepper_, *model_, state_, *workspace_);
  dirty_ = true;
  if (!report.ok()) {
    failure_ = fmt::format("step {}: {}", step_ + 1,
                           describe_failure(report, stepper_, *model_, state_, *workspace_));
  } else {
    report_ = report;
    ++step_;
    if (!state_.q.allFinite() || !std::isfinite(compute_energy(*model_, state_).total()))
      failure_ = fmt::format("the state is not finite after step {}: take a smaller step", step_);
  }
  if (!failure_.empty()) {
    playing_ = false;
    asked_ = 0;
  }
  const double cost = Seconds(Clock::now() - from).count();
  step_cost_ = step_cost_ > 0.0 ? 0.9 * step_cost_ + 0.1 * cost : cost;
}

// Sleeps until the clock has reached the time of the simulation. What is more than a tenth of a
// second late gives up to catch up.
void Session::wait_for_clock() {
  const auto now = Clock::now();
  const double due = (state_.t - pace_time_) / speed_ - Seconds(now - pace_wall_).count();
  if (std::abs(due) > 0.1) {
    pace_wall_ = now;
    pace_time_ = state_.t;
    return;
  }
  if (due <= 0.0) return;
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, Seconds(due), [&] { return stopping_ || !tasks_.empty(); });
}

void Session::work() {
  for (;;) {
    std::deque<std::function<void()>> tasks;
    {
      std::unique_lock lock(mutex_);
      if (!playing_ && asked_ == 0 && !dirty_)
        wake_.wait(lock, [&] { return stopping_ || !tasks_.empty(); });
      if (stopping_) {
        // Nobody waits for ever.
        tasks = std::move(tasks_);
        lock.unlock();
        for (const auto& task : tasks) task();
        return;
      }
      tasks = std::move(tasks_);
      tasks_.clear();
    }
    for (const auto& task : tasks) task();
    if (playing_ || asked_ > 0) {
      take_step();
      if (asked_ > 0) --asked_;
    }
    if (dirty_ && (!playing_ || Clock::now() - published_ >= frame_time)) publish();
    if (playing_) wait_for_clock();
  }
}

void Session::publish() {
  const auto now = Clock::now();
  const double passed = Seconds(now - measured_wall_).count();
  if (passed > 0.5) {
    real_time_ = playing_ && passed < 5.0 ? (state_.t - measured_time_) / passed : 0.0;
    measured_wall_ = now;
    measured_time_ = state_.t;
  }
  published_ = now;
  dirty_ = false;
  const Energy energy = compute_energy(*model_, state_);
  if (!state_.q.allFinite()) {
    broadcast_.publish("", status().dump());
    return;
  }
  const Sample sample{*model_,
                      state_,
                      step_,
                      report_ ? &*report_ : nullptr,
                      energy,
                      *workspace_,
                      step_size(stepper_)};
  meter_.measure(sample, frame_);
  broadcast_.publish(make_frame_json(frame_, meter_, epoch_).dump(), status().dump());
}

Json Session::status() const {
  Json targets = Json::array();
  for (const Control& control : model_->controls()) targets.push_back(control.target(state_.t));
  Json json{{"t", state_.t},
            {"step", step_},
            {"epoch", epoch_},
            {"playing", playing_},
            {"speed", speed_},
            {"stepper", name_of(stepper_)},
            {"solver", name_of(solver_of(stepper_))},
            {"h", step_size(stepper_)},
            {"gravity", to_json(model_->gravity())},
            {"targets", targets},
            {"step_cost", step_cost_},
            {"real_time", real_time_},
            {"failure", failure_},
            {"hand", nullptr}};
  if (hand_)
    json["hand"] = {{"body", hand_->body.value},        {"grip", to_json(hand_->grip)},
                    {"target", to_json(hand_->target)}, {"force", to_json(hand_->force)},
                    {"stiffness", hand_->stiffness},    {"damping", hand_->damping}};
  return json;
}

void Session::order_drag(const Json& given) {
  const BodyId id = read_body_id(*model_, given);
  if (model_->body(id).kind == BodyKind::fixed)
    throw OrderError(fmt::format("body \"{}\" is fixed: it cannot be dragged", model_->name(id)));
  const Vec3 target = read_vector(given, "target");
  if (!hand_ || hand_->body != id || given.contains("point")) {
    const Vec3 point = given.contains("point") ? read_vector(given, "point") : Vec3::Zero();
    hand_ = std::make_shared<Hand>(make_hand(*model_, id, point, step_size(stepper_)));
    rebuild();
  }
  hand_->target = target;
  pull(*model_, state_, *hand_);
}

void Session::order_target(const Json& given) {
  const ControlId id = read_control_id(*model_, given);
  const ControlKind kind = model_->control(id).kind;
  if (kind != ControlKind::motor && kind != ControlKind::servo)
    throw OrderError(fmt::format("control \"{}\" is a {}: motors and servos have targets",
                                 model_->name(id), name_of(kind)));
  std::erase_if(change_.targets, [&](const auto& target) { return target.first == id; });
  change_.targets.emplace_back(id, read_number(given, "value"));
  rebuild();
}

void Session::order(const Json& given) {
  const std::string what = read_text(given, "do");
  if (what == "play") {
    if (!failure_.empty()) throw OrderError(failure_ + ": reset, or take another stepper, first");
    playing_ = true;
    pace_wall_ = measured_wall_ = Clock::now();
    pace_time_ = measured_time_ = state_.t;
  } else if (what == "pause") {
    playing_ = false;
    asked_ = 0;
    real_time_ = 0.0;
  } else if (what == "step") {
    if (!failure_.empty()) throw OrderError(failure_ + ": reset, or take another stepper, first");
    playing_ = false;
    real_time_ = 0.0;
    const double count = given.contains("count") ? read_number(given, "count") : 1.0;
    if (!(count >= 1.0 && count <= 1e4 && count == std::floor(count)))
      throw OrderError("\"count\" must be a whole number between 1 and 10000");
    // Here and now: the answer is the status after them.
    for (long i = 0; i < static_cast<long>(count) && failure_.empty(); ++i) take_step();
  } else if (what == "reset") {
    reset();
    pace_wall_ = Clock::now();
    pace_time_ = state_.t;
  } else if (what == "speed") {
    const double speed = read_number(given, "value");
    if (!(speed >= 1e-3 && speed <= 1e3))
      throw OrderError("the speed must be between 0.001 and 1000");
    speed_ = speed;
    pace_wall_ = Clock::now();
    pace_time_ = state_.t;
  } else if (what == "gravity") {
    change_.gravity = read_vector(given, "value");
    rebuild();
  } else if (what == "stepper") {
    if (!given.contains("value")) throw OrderError("\"value\" is missing: a stepper as in a scene");
    set_stepper(make_stepper(given["value"].dump()));
  } else if (what == "target") {
    order_target(given);
  } else if (what == "drag") {
    order_drag(given);
  } else if (what == "release") {
    hand_.reset();
    rebuild();
  } else {
    throw OrderError(
        fmt::format("unknown order \"{}\": there are play, pause, step, reset, speed, "
                    "gravity, stepper, target, drag and release",
                    what.substr(0, 40)));
  }
}

}  // namespace ligament::apps
