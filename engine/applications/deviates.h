// Random numbers of a distribution, drawn from a stream. reference/applications/deviates.py is equivalent.
#pragma once
#include "core/random.h"

namespace thinktime {

// In (0, 1), both ends excluded: 52 bits plus one half.
inline double open_uniform(Philox& random) { return (static_cast<double>(random.next() >> 12) + 0.5) * 0x1.0p-52; }

double standard_normal(Philox& random);               // by inversion
double standard_exponential(Philox& random);          // of mean 1
double standard_gamma(Philox& random, double shape);  // of mean `shape`

}  // namespace thinktime
