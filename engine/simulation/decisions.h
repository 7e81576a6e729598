// How long the scheduler took to decide, and what the simulation took besides: one row a pass, kept only if asked for.
#pragma once
#include <cstdint>
#include <vector>

#include "core/types.h"

namespace thinktime {

struct Decision {
  Time time;                  // the simulated instant of the pass
  std::int64_t queued_jobs;   // before the pass, with what was submitted at this instant
  double seconds;             // of real time, deciding
  double rest;                // seconds of real time from the last pass to this one: everything else
  std::int64_t memory_bytes;  // that the process holds, as far as somebody looked lately; 0 if it is not known
};

using Decisions = std::vector<Decision>;

}  // namespace thinktime
