// SPDX-License-Identifier: Apache-2.0
// What a run is judged by, step by step: the columns of history.csv and the curves of a replay.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "ligament/simulation/run.h"

namespace ligament {

// One number of every step. Errors are those of the pose at the start of the step that led here,
// where its rows were built; they and what the solver did are 0 at the start.
struct Quantity {
  const char* name;   // of the column: kinetic
  const char* group;  // the figure that it is drawn in: energy
  const char* label;  // for people: kinetic energy
  const char* unit;   // J
};

inline constexpr std::array quantities{
    Quantity{"kinetic", "energy", "kinetic", "J"},
    Quantity{"potential", "energy", "potential", "J"},
    Quantity{"total", "energy", "total", "J"},
    Quantity{"violation_max", "violation", "largest", "m, rad"},
    Quantity{"violation_rms", "violation", "root mean square", "m, rad"},
    Quantity{"residual", "residual", "largest of a row", "m/s"},
    Quantity{"velocity_error", "velocity_error", "estimate", "relative"},
    Quantity{"excess_compliance", "excess_compliance", "softest row", "m/N, rad/(N m)"},
    Quantity{"infeasible_rows", "infeasible_rows", "share of all rows", "%"},
    Quantity{"fed_work", "fed_work", "in a step", "J"},
    Quantity{"work", "work", "multiply-adds", "a step"},
    Quantity{"iterations", "iterations", "iterations", "a step"},
    Quantity{"contacts", "contacts", "points", ""},
    Quantity{"penetration", "penetration", "deepest", "m"},
    Quantity{"friction_error", "friction_error", "largest of a contact", "m/s"},
};

using QuantityValues = std::array<double, quantities.size()>;

// In the order of `quantities`.
QuantityValues measure_quantities(const Sample& sample);

// The row of the largest constraint error by name, joint "elbow", point x; empty if there is none.
std::string name_worst_row(const Sample& sample);

// A figure of a run by its group, with a title for people; whether a logarithmic scale suits it.
struct QuantityGroup {
  const char* name;
  const char* title;
  bool logarithmic;
};

inline constexpr std::array quantity_groups{
    QuantityGroup{"energy", "Energy", false},
    QuantityGroup{"violation", "Constraint error", true},
    QuantityGroup{"residual", "Solver residual", true},
    QuantityGroup{"velocity_error", "Error of the velocities", true},
    QuantityGroup{"excess_compliance", "Compliance added by the solver", true},
    QuantityGroup{"infeasible_rows", "Rows that push the wrong way", false},
    QuantityGroup{"fed_work", "Energy fed by the solver", true},
    QuantityGroup{"work", "Solver work", false},
    QuantityGroup{"iterations", "Solver iterations", false},
    QuantityGroup{"contacts", "Contact points", false},
    QuantityGroup{"penetration", "Overlap", true},
    QuantityGroup{"friction_error", "Deviation from Coulomb's law", true},
};

}  // namespace ligament
