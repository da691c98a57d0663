// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "ligament/simulation/failure.h"
#include "ligament/simulation/start_loads.h"
#include "ligament/simulation/trial_run.h"
#include "ligament/steppers/workspace.h"

namespace ligament {
namespace {

constexpr double agreement = 0.1;       // of the tolerance: how well two references must agree
constexpr double for_references = 0.5;  // part of the budget
constexpr int fewest_samples = 4;       // over which references must agree
constexpr double too_costly = 4.0;      // times the cheapest trial that will do: no use in going on

using Clock = std::chrono::steady_clock;

void check(const AdviceOptions& options) {
  const auto require = [](bool fine, const char* what, double value, const char* must) {
    if (!fine)
      throw std::invalid_argument(fmt::format("{} is {:g}: it must be {}", what, value, must));
  };
  require(options.tolerance > 0.0 && options.tolerance < 1.0, "tolerance", options.tolerance,
          "> 0 and < 1");
  require(options.duration > 0.0 && std::isfinite(options.duration), "duration", options.duration,
          "> 0 s");
  require(options.budget > 0.0 && std::isfinite(options.budget), "budget", options.budget, "> 0 s");
  require(options.finest >= 1, "finest", options.finest, "≥ 1");
}

class Search {
 public:
  Search(const Model& model, const State& start, const std::vector<Candidate>& candidates,
         const AdviceOptions& options)
      : model_(model),
        candidates_(candidates),
        options_(options),
        setup_{model, start, options.duration, [this] { return must_stop(); }},
        masses_(weigh_points(model)) {}

  Advice run() {
    if (masses_.size() == 0) throw std::invalid_argument("nothing in the scene can move");
    find_unfit();
    deadline_ = began_ + seconds(for_references * options_.budget);
    find_reference();
    if (was_interrupted()) return end(AdviceStatus::interrupted);
    if (samples_ < fewest_samples) return end(AdviceStatus::no_reference);
    for (std::size_t i = 0; i < candidates_.size() && !was_interrupted(); ++i) try_candidate(i);
    if (was_interrupted()) return end(AdviceStatus::interrupted);
    return end(advice_.recommended ? AdviceStatus::found : AdviceStatus::none);
  }

 private:
  static Clock::duration seconds(double count) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(count));
  }
  bool was_interrupted() const { return options_.should_stop && options_.should_stop(); }
  bool must_stop() const { return was_interrupted() || Clock::now() > deadline_; }
  void tell(const std::string& what) const {
    if (options_.progress) options_.progress(what);
  }
  Advice end(AdviceStatus status) {
    advice_.status = status;
    sort_trials();
    return std::move(advice_);
  }

  // By candidate, coarse to fine.
  void sort_trials() {
    std::vector<Trial>& trials = advice_.trials;
    const Trial best = advice_.recommended ? trials[*advice_.recommended] : Trial{};
    std::ranges::sort(trials, [](const Trial& a, const Trial& b) {
      return a.candidate != b.candidate ? a.candidate < b.candidate : a.h > b.h;
    });
    if (!advice_.recommended) return;
    const auto at = std::ranges::find_if(trials, [&](const Trial& trial) {
      return trial.candidate == best.candidate && trial.h == best.h;
    });
    advice_.recommended = static_cast<std::size_t>(at - trials.begin());
  }

  void find_unfit() {
    Workspace work(model_);
    for (const Candidate& candidate : candidates_) {
      const Unsupported what = find_unsupported(candidate.stepper, model_, work);
      advice_.unfit.push_back(what.any() ? describe_unsupported(what, model_, work) : "");
    }
  }

  // Two methods of second order that have nothing in common but the model.
  struct Reference {
    const char* name;
    Stepper stepper;
    Sampled run{};
  };

  void find_reference() {
    Reference one{"trapezoidal", Trapezoidal{}}, other{"impulse", Impulse{}};
    Sampled best;
    for (int parts = 1; parts <= options_.finest; parts *= 2) {
      for (Reference* reference : {&one, &other}) {
        tell(fmt::format("reference by {}, steps of {:.3g} s", reference->name,
                         step_of_trial(setup_, parts)));
        reference->run = run_trial(setup_, reference->stepper, false, parts);
      }
      if (one.run.interrupted || other.run.interrupted) break;
      const int samples = compare(one.run, other.run);
      // Both end there, whatever the steps: finer ones bring nothing.
      const bool ends = !one.run.failure.empty() && !other.run.failure.empty() &&
                        samples + 1 == static_cast<int>(one.run.points.size()) &&
                        samples + 1 == static_cast<int>(other.run.points.size());
      if (samples >= samples_) {
        samples_ = samples;
        advice_.reference_failure = one.run.failure;
        best = std::move(one.run);
        advice_.reference_h = step_of_trial(setup_, parts);
      }
      if (ends || samples_ == samples_of_a_trial) break;
    }
    reference_ = std::move(best.points);
    advice_.reference = one.name;
    advice_.other_reference = other.name;
    advice_.time = options_.duration * samples_ / samples_of_a_trial;
  }
  double wanted() const { return agreement * options_.tolerance; }

  // Up to which sample two runs agree, 0: at the start only. Sets scale and reference error if that
  // is the best yet.
  int compare(const Sampled& a, const Sampled& b) {
    const auto common = std::min(a.points.size(), b.points.size());
    double way = 0.0;
    for (std::size_t i = 0; i < common; ++i)
      way = std::max(way, compute_distance(a.points[i], a.points.front(), masses_));
    const double extent = compute_extent(model_, setup_.start);
    const bool moves = way > 1e-3 * extent;
    const double scale = moves ? way : extent;
    double apart = 0.0;
    std::size_t agreed = 0;
    for (std::size_t i = 1; i < common; ++i) {
      const double distance = compute_distance(a.points[i], b.points[i], masses_) / scale;
      if (!(distance <= wanted())) break;
      apart = std::max(apart, distance);
      agreed = i;
    }
    if (static_cast<int>(agreed) >= samples_) {
      advice_.scale = scale;
      advice_.moves = moves;
      advice_.reference_error = apart;
    }
    return static_cast<int>(agreed);
  }

  double compute_error(const Sampled& run) const {
    if (run.points.size() <= static_cast<std::size_t>(samples_))
      return std::numeric_limits<double>::infinity();
    double error = 0.0;
    for (std::size_t i = 1; i <= static_cast<std::size_t>(samples_); ++i) {
      const double distance = compute_distance(run.points[i], reference_[i], masses_);
      if (!(distance <= error)) error = distance;
    }
    return error / advice_.scale;
  }

  // From coarse steps to fine ones, until two in a row will do; then between them and the last that
  // would not.
  void try_candidate(std::size_t index) {
    if (!advice_.unfit[index].empty()) return;
    const double left =
        std::chrono::duration<double>(began_ + seconds(options_.budget) - Clock::now()).count();
    const auto rest = static_cast<double>(candidates_.size() - index);
    deadline_ = Clock::now() + seconds(std::max(0.0, left) / rest);
    std::vector<std::pair<int, std::size_t>> tried;  // parts, trial
    int good = 0;
    for (int parts = 1; parts <= options_.finest && good < 2; parts *= 2) {
      const auto trial = try_steps(index, parts);
      if (!trial) return;
      tried.emplace_back(parts, *trial);
      good = advice_.trials[*trial].meets(options_.tolerance) ? good + 1 : 0;
      if (good == 0 && advice_.trials[*trial].cpu_seconds > too_costly * cheapest_) return;
    }
    if (good < 2) return;
    const std::size_t fine = tried.size() - 2;
    recommend(tried[fine].second);
    const int parts = tried[fine].first;
    if (parts < 4) return;
    const auto between = try_steps(index, 3 * parts / 4);
    if (between && advice_.trials[*between].meets(options_.tolerance)) recommend(*between);
  }

  // Nothing if the time was up.
  std::optional<std::size_t> try_steps(std::size_t index, int parts) {
    const Candidate& candidate = candidates_[index];
    Trial trial{.candidate = index, .h = step_of_trial(setup_, parts)};
    tell(fmt::format("{}, steps of {:.3g} s", candidate.name, trial.h));
    const Sampled run = run_trial(setup_, candidate.stepper, candidate.staggered, parts);
    if (run.interrupted) return std::nullopt;
    trial.error = compute_error(run);
    if (!std::isfinite(trial.error))
      trial.failure = run.failure.empty() ? "the motion is lost" : run.failure;
    trial.cpu_seconds = run.cpu_seconds;
    trial.solver_work = run.solver_work;
    trial.steps = run.steps;
    advice_.trials.push_back(trial);
    return advice_.trials.size() - 1;
  }

  void recommend(std::size_t trial) {
    const double cost = advice_.trials[trial].cpu_seconds;
    if (advice_.recommended && cost >= cheapest_) return;
    cheapest_ = cost;
    advice_.recommended = trial;
  }

  const Model& model_;
  const std::vector<Candidate>& candidates_;
  const AdviceOptions& options_;
  TrialSetup setup_;
  VecX masses_;
  Clock::time_point began_ = Clock::now(), deadline_ = began_;
  std::vector<VecX> reference_;
  int samples_ = 0;                                            // over which the references agree
  double cheapest_ = std::numeric_limits<double>::infinity();  // [s] of trials that will do
  Advice advice_;
};

}  // namespace

Advice advise(const Model& model, const State& start, const std::vector<Candidate>& candidates,
              const AdviceOptions& options) {
  check(options);
  return Search(model, start, candidates, options).run();
}

}  // namespace ligament
