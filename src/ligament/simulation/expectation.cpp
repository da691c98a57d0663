// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "ligament/steppers/trapezoidal/mean_velocity.h"

namespace ligament {
namespace {

bool has_friction(const Model& model) {
  const bool dry = std::ranges::any_of(model.controls(), [](const Control& control) {
    return control.kind == ControlKind::friction;
  });
  const bool rough = std::ranges::any_of(model.shapes(), [&](const Shape& a) {
    return model.between(a.material, a.material).friction > 0.0;
  });
  return dry || rough;
}

}  // namespace

std::string describe_expectation(const Stepper& stepper, const Model& model,
                                 const Workspace& work) {
  const Trapezoidal* method = std::get_if<Trapezoidal>(&stepper);
  if (!method) return {};
  const double stiffness = compute_stiffness_number(work.constraints, work.mobility, method->h);
  std::vector<std::string> costs;
  if (method->theta > 0.5) costs.push_back("theta is above 0.5");
  if (method->as_printed.spring_gradient && stiffness > 0.0)
    costs.push_back("gradients of springs as printed");
  if (method->as_printed.contact_normals && !model.shapes().empty())
    costs.push_back("normals of curved contacts as printed");
  if (method->as_printed.active_set && work.collision) costs.push_back("the active set as printed");
  if (method->as_printed.gyroscopic) costs.push_back("gyroscopic torques as printed");
  if (has_friction(model) && (!method->stop_events || stiffness > 1.0))
    costs.push_back(stiffness > 1.0 ? "sliding that ends, for a spring is stiff"
                                    : "sliding that ends, without stop events");
  std::string text = costs.empty() ? "second order" : "second order but for ";
  for (std::size_t i = 0; i < costs.size(); ++i) text += (i > 0 ? "; " : "") + costs[i];
  if (stiffness > 0.0)
    text += fmt::format(". Stiffness number of the springs {:.3g}{}", stiffness,
                        stiffness <= 1.0 ? ""
                        : method->drift == DriftControl::project
                            ? ": they are not resolved, and settle"
                            : ": they are not resolved, and settle after "
                              "impacts only");
  return text;
}

}  // namespace ligament
