// SPDX-License-Identifier: Apache-2.0
// Everything a program needs to build a model and simulate it.
#pragma once

#include "ligament/collision/collision_world.h"
#include "ligament/geometry/solid_mass.h"
#include "ligament/math/mass_properties.h"
#include "ligament/measure/energy.h"
#include "ligament/model/model_builder.h"
#include "ligament/simulation/assembly.h"
#include "ligament/simulation/diagnosis.h"
#include "ligament/simulation/run.h"
#include "ligament/steppers/stepper.h"
#include "ligament/steppers/workspace.h"
