// SPDX-License-Identifier: Apache-2.0
// The words of the scene file for how to simulate: steppers, contacts, solvers, run and output. The
// words for machines are in scene_format.h.
#pragma once

#include <span>
#include <string_view>

#include "ligament/steppers/stepper.h"

namespace ligament {

constexpr unsigned every_kind = ~0U;

struct Key {
  std::string_view name;
  unsigned kinds = every_kind;  // bit i: objects of kind i may have it
};

struct ObjectFormat {
  std::string_view name;
  std::span<const Key> keys;
};

// The bit of a kind that is an enumerator or the index of a variant.
template <class Kind>
constexpr unsigned bit(Kind kind) {
  return 1U << static_cast<unsigned>(kind);
}

namespace scene_format {

// Bits of the variant Stepper.
constexpr unsigned by_vi = bit(Stepper(RegularizedVi{}).index());
constexpr unsigned by_trapezoidal = bit(Stepper(Trapezoidal{}).index());
constexpr unsigned with_damping = bit(Stepper(Spook{}).index()) | bit(Stepper(Relaxed{}).index());
constexpr unsigned by_impulse = bit(Stepper(Impulse{}).index());
constexpr unsigned by_taylor = bit(Stepper(Taylor{}).index());
inline constexpr Key stepper_keys[] = {{"type"},
                                       {"h"},
                                       {"damping_steps", with_damping},
                                       {"gyroscopic", ~(by_impulse | by_taylor)},
                                       {"compliance_floor"},
                                       {"push_out", by_vi},
                                       {"max_push_out_speed", by_vi | by_trapezoidal},
                                       {"theta", by_trapezoidal},
                                       {"drift", by_trapezoidal},
                                       {"stabilization", by_trapezoidal},
                                       {"collision_time", by_trapezoidal},
                                       {"stop_events", by_trapezoidal},
                                       {"damped_restart", by_trapezoidal},
                                       {"damped_until", by_trapezoidal},
                                       {"closed", by_trapezoidal},
                                       {"still", by_trapezoidal},
                                       {"plastic_speed", by_trapezoidal},
                                       {"as_printed", by_trapezoidal},
                                       {"tolerance", by_impulse},
                                       {"form", by_impulse},
                                       {"higher_order", by_impulse},
                                       {"rotation", by_impulse},
                                       {"velocity_correction", by_impulse},
                                       {"max_passes", by_impulse},
                                       {"max_sweeps", by_impulse},
                                       {"max_halvings", by_impulse},
                                       {"alpha", by_taylor},
                                       {"beta", by_taylor},
                                       {"contacts", ~by_taylor},
                                       {"solver"}};
inline constexpr ObjectFormat stepper{"stepper", stepper_keys};

inline constexpr Key as_printed_keys[] = {
    {"spring_gradient"}, {"contact_normals"}, {"active_set"}, {"gyroscopic"}};
inline constexpr ObjectFormat as_printed{"as_printed", as_printed_keys};

inline constexpr Key contacts_keys[] = {{"friction"},    {"restitution"}, {"anchored"},
                                        {"slip"},        {"slack"},       {"threads"},
                                        {"sleep_after"}, {"sleep_speed"}};
inline constexpr ObjectFormat contacts{"contacts", contacts_keys};

// Bits of the variant Solver.
constexpr unsigned direct = bit(Solver(Direct{}).index());
constexpr unsigned block_pivot = bit(Solver(BlockPivot{}).index());
constexpr unsigned gauss_seidel = bit(Solver(GaussSeidel{}).index());
constexpr unsigned gradient = bit(Solver(AcceleratedGradient{}).index());
constexpr unsigned newton = bit(Solver(Newton{}).index());
constexpr unsigned interior = bit(Solver(InteriorPoint{}).index());
constexpr unsigned automatic = bit(Solver(Automatic{}).index());
constexpr unsigned lemke = bit(Solver(Lemke{}).index());
inline constexpr Key solver_keys[] = {
    {"type"},
    {"refinements", direct | block_pivot},
    {"pivots_per_row", block_pivot | lemke},
    {"directions", lemke},
    {"max_unknowns", lemke},
    {"passes", block_pivot},
    {"max_sweeps", gauss_seidel | newton | interior | automatic},
    {"least_sweeps", gauss_seidel | automatic},
    {"settled", gauss_seidel},
    {"max_work", newton},
    {"local", gauss_seidel},
    {"momentum", gauss_seidel},
    {"max_iterations", gradient | newton | interior},
    {"tolerance", gauss_seidel | gradient | newton | interior | automatic},
    {"sweep_tolerance", automatic},
    {"direct_bodies", automatic},
    {"threads", automatic}};
inline constexpr ObjectFormat solver{"solver", solver_keys};

inline constexpr Key run_keys[] = {{"duration"}, {"steps"}, {"staggered"}};
inline constexpr ObjectFormat run{"run", run_keys};
inline constexpr Key output_keys[] = {{"every"}, {"joints"}, {"controls"}};
inline constexpr ObjectFormat output{"output", output_keys};

}  // namespace scene_format
}  // namespace ligament
