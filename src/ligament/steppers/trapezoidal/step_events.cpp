// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/trapezoidal/step_events.h"

#include <algorithm>
#include <cmath>

namespace ligament {
namespace {

constexpr double touch = 1e-13;        // [m], and of a speed of sliding: rounding
constexpr int most_solves = 60;        // to find one event
constexpr double nearly = 1.0 - 1e-9;  // of its bound: friction that slides
constexpr double straight = 0.01;      // of the speed of sliding: what may be left across it

bool contains(const std::vector<GapKey>& keys, const GapKey& key) {
  return std::ranges::find(keys, key) != keys.end();
}

void find_collisions(const Trapezoidal& method, const Model& model, double h, Workspace& work) {
  TrapezoidalWorkspace& part = work.trapezoidal;
  scan_gaps(model, part.end, work, part.end_scan);
  for (const Gap& end : part.end_scan.gaps) {
    const Gap* start = part.start_scan.find(end.key);
    if (start && start->is_active()) continue;
    // Where its neighbours are closed a new point of a face may be a little deep.
    const double deep = part.start_scan.has_active_pair(end.key) ? method.closed : touch;
    if (!(end.gap < -deep)) continue;
    if (start && start->gap < -deep && start->role == GapRole::parts) continue;
    StepEvent event{.key = end.key, .end = end.gap};
    // What was out of reach at the start came at the speed that it has now.
    StepEnds ends{std::max(end.gap - h * end.speed, touch), h * end.speed, end.gap, h * end.speed};
    if (start) {
      ends.start = std::max(start->gap, 0.0);
      ends.start_slope = h * start->speed;
    }
    const auto root = find_downward_root(ends);
    event.root = root ? *root : DownwardRoot{0.0, touch, 0.5};
    part.events.push_back(event);
  }
}

// Whether what has the friction impulse of the state's memory slid.
bool slid(const ContactMemory* memory, const ContactRows& rows) {
  if (!memory) return true;
  const double press = rows.contact.normal.dot(memory->impulse);
  const double hold = (memory->impulse - press * rows.contact.normal).norm();
  return hold >= nearly * rows.material->friction * press;
}
bool slid(const State& memory, int row, double bound) {
  for (const RowMemory& of : memory.rows)
    if (of.row == row) return std::abs(of.impulse) >= nearly * bound;
  return true;
}

// An event if the speed in the rows, which slide at the start, is turned round at the end.
void add_stop(const Trapezoidal& method, const GapKey& key, int row, int rows,
              TrapezoidalWorkspace& part) {
  Eigen::Vector2d start = Eigen::Vector2d::Zero(), end = Eigen::Vector2d::Zero();
  for (int r = 0; r < rows; ++r) {
    start(r) = part.start_speed(row + r);
    end(r) = part.end_speed(row + r);
  }
  const double speed = start.norm();
  if (!(speed > method.still) || contains(part.stopped, key)) return;
  StepEvent event{.key = key, .slip_row = row, .slip_rows = rows, .scale = speed};
  event.direction = start / speed;
  event.end = event.direction.dot(end);
  const double across = (end - event.end * event.direction).norm();
  if (!(event.end < -touch * speed) || across > straight * speed) return;
  event.root = {.from = 0.0, .value_from = speed, .at = speed / (speed - event.end)};
  part.events.push_back(event);
}

void compute_end_speeds(Workspace& work) {
  VecX& speed = work.trapezoidal.end_speed;
  speed.resize(work.problem.rows());
  multiply(work.problem.G, work.trapezoidal.end.v, speed);
  if (work.constraints.drifts) speed += work.drift;
}

void find_stops(const Trapezoidal& method, const Model& model, const State& memory,
                Workspace& work) {
  TrapezoidalWorkspace& part = work.trapezoidal;
  part.start_speed.resize(work.problem.rows());
  multiply(work.problem.G, part.now.v, part.start_speed);
  if (work.constraints.drifts) part.start_speed += work.drift;
  compute_end_speeds(work);
  for (std::size_t i = 0; i < work.contacts.rows.size(); ++i) {
    const ContactRows& rows = work.contacts.rows[i];
    if (rows.friction < 0 || !slid(work.contacts.memories[i], rows)) continue;
    add_stop(method, {rows.contact.shape_a, rows.contact.shape_b, rows.contact.feature, -1},
             rows.friction_row, 2, part);
  }
  for (const int block : work.constraints.bounded) {
    const auto i = static_cast<std::size_t>(block);
    const ConstraintBlock& owner = work.constraints.blocks[i];
    if (model.controls()[owner.index].kind != ControlKind::friction) continue;
    const int row = work.problem.G.blocks[i].first_row;
    if (slid(memory, row, method.h * owner.max_force)) add_stop(method, {.row = row}, row, 1, part);
  }
}

// The value of an event at the end of the part at hand.
double value_of(const StepEvent& event, const Workspace& work) {
  const TrapezoidalWorkspace& part = work.trapezoidal;
  if (event.slip_row >= 0) {
    double speed = 0.0;
    for (int r = 0; r < event.slip_rows; ++r)
      speed += event.direction(r) * part.end_speed(event.slip_row + r);
    return speed;
  }
  const Gap* gap = part.end_scan.find_or_nearest(event.key, part.start_scan);
  return gap ? gap->gap : 1.0;
}

// Takes the part with another length, and looks at its end.
bool take_again(const Trapezoidal& method, const Model& model, const StepSpan& span,
                Workspace& work, StepReport& report) {
  add_solve(take_part(method, model, span, work, report), report.solve);
  if (!report.ok()) return false;
  scan_gaps(model, work.trapezoidal.end, work, work.trapezoidal.end_scan);
  compute_end_speeds(work);
  return true;
}

// The length with which the part ends at the event, at most `longest`.
double resolve(const Trapezoidal& method, const Model& model, const StepSpan& span,
               const StepEvent& event, double longest, double value_at_longest, Workspace& work,
               StepReport& report) {
  double low = event.root.from * span.h, x = event.root.at * span.h;
  if (low >= longest) low = 0.0;
  if (!(x > low && x < longest)) x = 0.5 * (low + longest);
  BracketedSecant secant(low, std::max(event.root.value_from, touch * event.scale), longest,
                         value_at_longest);
  for (int i = 0; i < most_solves; ++i) {
    if (!take_again(method, model, {x, span.theta}, work, report)) return x;
    const double f = value_of(event, work);
    if (std::abs(f) <= touch * event.scale) break;
    secant.add(x, f);
    if (secant.width() <= 1e-15 * method.h) break;
    x = secant.next();
  }
  return x;
}

// The state at a part of the step, by the quadratic through its ends.  [TR.11]
void interpolate(const Model& model, double sigma, double h, TrapezoidalWorkspace& part) {
  part.mean = (1.0 - sigma) * part.now.v + sigma * part.mean;
  part.end.p = part.now.p + sigma * (part.end.p - part.now.p);
  part.end.q = part.now.q;
  part.end.s = part.now.s;
  part.end.t = part.now.t + sigma * h;
  displace(model, part.mean, sigma * h, part.end);
  move_prescribed_bodies(model, part.end.t, part.end);
  update_velocities(model, part.end);
}

}  // namespace

void find_events(const Trapezoidal& method, const Model& model, const State& memory, double h,
                 Workspace& work) {
  TrapezoidalWorkspace& part = work.trapezoidal;
  part.events.clear();
  if (work.collision || work.constraints.has_unilateral) find_collisions(method, model, h, work);
  if (method.stop_events &&
      compute_stiffness_number(work.constraints, work.mobility, method.h) <= 1.0)
    find_stops(method, model, memory, work);
}

Division locate_event(const Trapezoidal& method, const Model& model, const StepSpan& span,
                      Workspace& work, StepReport& report) {
  TrapezoidalWorkspace& part = work.trapezoidal;
  const auto first = std::ranges::min_element(part.events, {},
                                              [](const StepEvent& event) { return event.root.at; });
  auto chosen = static_cast<std::size_t>(first - part.events.begin());
  if (method.collision_time == CollisionTime::hermite && first->slip_row < 0) {
    const double sigma = first->root.at;
    interpolate(model, sigma, span.h, part);
    return {chosen, sigma * span.h, sigma};
  }
  double h = span.h, value = first->end;
  for (std::size_t tries = 0; tries <= part.events.size(); ++tries) {
    h = resolve(method, model, span, part.events[chosen], h, value, work, report);
    if (!report.ok()) break;
    // Another one may have come before it.
    std::size_t earlier = part.events.size();
    for (std::size_t i = 0; i < part.events.size(); ++i) {
      if (i == chosen) continue;
      const double other = value_of(part.events[i], work);
      if (other < -2.0 * touch * part.events[i].scale &&
          (earlier == part.events.size() || other < value))
        earlier = i, value = other;
    }
    if (earlier == part.events.size()) break;
    chosen = earlier;
  }
  return {chosen, h, 1.0};
}

void remember_rows(double scale, const Workspace& work, State& state) {
  for (std::size_t i = 0; i < work.constraints.blocks.size(); ++i) {
    const int row = work.problem.G.blocks[i].first_row;
    const RowPhysics& physics = work.constraints.physics[static_cast<std::size_t>(row)];
    const bool bounded = physics.unilateral || work.constraints.blocks[i].max_force < unlimited;
    const double impulse = work.solution.lambda(row);
    if (bounded && impulse != 0.0) state.rows.push_back({row, scale * impulse});
  }
}

}  // namespace ligament
