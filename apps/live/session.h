// SPDX-License-Identifier: Apache-2.0
// A simulation that goes on in a thread of its own, in step with the clock, and takes orders.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <thread>

#include "apps/live/hand.h"
#include "ligament/io/replay/frame.h"
#include "ligament/io/scene.h"

namespace ligament::apps {

// What all browsers are shown, newest only: a slow one misses frames and slows nobody.
class Broadcast {
 public:
  struct Message {
    std::string frame, status;  // JSON, one line each
    std::uint64_t number = 0;
  };

  void publish(std::string frame, std::string status);
  // Waits for a message after `number`; nothing if none came in time or all is over.
  std::optional<Message> wait(std::uint64_t number, std::chrono::milliseconds longest);
  void close();
  bool closed() const { return closed_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Message latest_;
  std::atomic<bool> closed_ = false;
};

// An order that makes no sense, and why.
class OrderError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Session {
 public:
  Session(const Scene& scene, State start);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Carries out an order between two steps and returns the status after it, as JSON text. Throws
  // OrderError. See docs/command.md for the orders.
  std::string obey(const nlohmann::ordered_json& order);
  // Time, step and pose of all bodies with all digits, as JSON text.
  std::string state_json();
  // Why it cannot go on, in words; empty if it can.
  std::string failure();

  Broadcast& broadcast() { return broadcast_; }
  void stop();

 private:
  using Clock = std::chrono::steady_clock;
  using Json = nlohmann::ordered_json;

  // Only the thread of the simulation touches what follows these calls.
  void work();
  void take_step();
  void wait_for_clock();
  void publish();
  void reset();
  void look_ahead();
  void rebuild();
  void set_stepper(Stepper stepper);
  void order(const Json& order);
  void order_drag(const Json& order);
  void order_target(const Json& order);
  Json status() const;
  // Runs a task in the thread of the simulation, and waits for it.
  void run_there(std::function<void()> task);

  const Scene& scene_;
  const State start_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Workspace> workspace_;
  Stepper stepper_;
  State state_;
  ModelChange change_;
  std::shared_ptr<Hand> hand_;
  FrameMeter meter_;
  ReplayFrame frame_;
  std::optional<StepReport> report_;
  std::string failure_;
  long step_ = 0;
  long asked_ = 0;  // single steps
  int epoch_ = 0;   // counts resets
  bool playing_ = false;
  double speed_ = 1.0;
  double step_cost_ = 0.0, real_time_ = 0.0;  // [s], factor; smoothed
  Clock::time_point published_{}, pace_wall_{}, measured_wall_{};
  double pace_time_ = 0.0, measured_time_ = 0.0;
  bool dirty_ = true;

  Broadcast broadcast_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace ligament::apps
