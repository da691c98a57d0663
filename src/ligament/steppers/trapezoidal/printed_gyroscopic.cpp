// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/trapezoidal/printed_gyroscopic.h"

#include "ligament/math/rotation.h"

namespace ligament {
namespace {

template <class Visit>
void for_each_spin(const Model& model, const Workspace& work, const Visit& visit) {
  const auto bodies = model.bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].kind == BodyKind::rigid) visit(bodies[i], work.spins[i]);
}

}  // namespace

void assemble_printed_spins(const Model& model, const State& state, const StepSpan& span,
                            Workspace& work) {
  StepProblem& problem = work.problem;
  for_each_spin(model, work, [&](const Body& body, const Spin& spin) {
    BodyBlock& block = problem.M.blocks[static_cast<std::size_t>(body.mass_block)];
    const int at = body.v_offset + 3;
    const Vec3 l = state.p.segment<3>(at);
    Mat3 inertia = spin.R_WP * body.moments.asDiagonal() * spin.R_WP.transpose();
    inertia -= span.theta * span.h * skew(l);
    block.rotation = inertia / span.theta;
    block.symmetric = l.isZero(0.0);
    problem.p.segment<3>(at) = l / span.theta + span.h * work.applied.segment<3>(at);
  });
}

void advance_printed_spins(const Model& model, const StepSpan& span, const Workspace& work,
                           const State& from, State& to) {
  for_each_spin(model, work, [&](const Body& body, const Spin& spin) {
    const int at = body.v_offset + 3, turn = body.q_offset + 3;
    const Vec3 w = work.solution.u.segment<3>(at);
    const Vec3 w_P = spin.R_WP.transpose() * w;
    const Vec3 start_P =
        (spin.R_WP.transpose() * Vec3(from.p.segment<3>(at))).cwiseQuotient(body.moments);
    const Vec3 end_P = start_P + (w_P - start_P) / span.theta;
    const auto e = from.q.segment<4>(turn);
    const Quat before(e(0), e(1), e(2), e(3)), after = cayley_turn(span.h * w, before);
    to.q.segment<4>(turn) << after.w(), after.x(), after.y(), after.z();
    to.v.segment<3>(at) = w;
    const Vec3 l = spin.R_WP * Vec3(body.moments.cwiseProduct(end_P));
    to.p.segment<3>(at) = after * (before.conjugate() * l);
  });
}

}  // namespace ligament
