// SPDX-License-Identifier: Apache-2.0
// From a size known at run time to one that the compiler knows.
#pragma once

namespace ligament {

// Calls visit.template operator()<n>() for a run-time size n in 1 … 6.
template <class Visit>
inline auto with_size(int n, Visit&& visit) {
  switch (n) {
    case 1: return visit.template operator()<1>();
    case 2: return visit.template operator()<2>();
    case 3: return visit.template operator()<3>();
    case 4: return visit.template operator()<4>();
    case 5: return visit.template operator()<5>();
    default: return visit.template operator()<6>();
  }
}

}  // namespace ligament
