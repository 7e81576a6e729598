// The real time of each scheduling pass, and of the simulation between passes: one row per pass, kept on request.
#pragma once
#include <cstdint>
#include <vector>

#include "core/types.h"

namespace thinktime {

struct Decision {
  Time time;                  // the simulated instant of the pass
  std::int64_t queued_jobs;   // before the pass, with what was submitted at this instant
  double seconds;             // real time of the pass
  double rest;                // real time between the last pass and this one
  std::int64_t memory_bytes;  // held by the process when last sampled; 0 if unknown
};

using Decisions = std::vector<Decision>;

}  // namespace thinktime
