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
constexpr unsigned with_damping = bit(Stepper(Spook{}).index()) | bit(Stepper(Relaxed{}).index());
inline constexpr Key stepper_keys[] = {{"type"},
                                       {"h"},
                                       {"damping_steps", with_damping},
                                       {"gyroscopic"},
                                       {"compliance_floor"},
                                       {"push_out", by_vi},
                                       {"max_push_out_speed", by_vi},
                                       {"contacts"},
                                       {"solver"}};
inline constexpr ObjectFormat stepper{"stepper", stepper_keys};

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
constexpr unsigned automatic = bit(Solver(Automatic{}).index());
inline constexpr Key solver_keys[] = {{"type"},
                                      {"refinements", direct | block_pivot},
                                      {"pivots_per_row", block_pivot},
                                      {"passes", block_pivot},
                                      {"max_sweeps", gauss_seidel | newton | automatic},
                                      {"max_work", newton},
                                      {"local", gauss_seidel},
                                      {"momentum", gauss_seidel},
                                      {"max_iterations", gradient | newton},
                                      {"tolerance", gauss_seidel | gradient | newton | automatic},
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
