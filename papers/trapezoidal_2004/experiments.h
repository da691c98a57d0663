// SPDX-License-Identifier: Apache-2.0
// The experiments of Potra, Anitescu, Gavrea and Trinkle 2004, one file each.
#pragma once

#include "papers/experiment.h"

namespace ligament::papers::trapezoidal {

Experiment show_figure_2(const Effort& effort);
Experiment show_table_10_1(const Effort& effort);
Experiment show_variants(const Effort& effort);
Experiment show_figure_4(const Effort& effort);
Experiment show_figure_5(const Effort& effort);
Experiment show_theorem_9_1(const Effort& effort);
Experiment show_theorem_9_3(const Effort& effort);
Experiment show_rest(const Effort& effort);
Experiment show_orders(const Effort& effort);
Experiment show_linearization(const Effort& effort);

}  // namespace ligament::papers::trapezoidal
