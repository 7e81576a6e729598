// How long the scheduler took to decide: one row a pass, kept only if asked for.
#pragma once
#include <cstdint>
#include <vector>

#include "core/types.h"

namespace thinktime {

struct Decision {
  Time time;                 // the simulated instant of the pass
  std::int64_t queued_jobs;  // before the pass, with what was submitted at this instant
  double seconds;            // of real time
};

using Decisions = std::vector<Decision>;

}  // namespace thinktime
