// The promises of a finished EASY schedule: for each job that reached the head of an arrival-ordered queue and did not
// start at once, the start that the expected ends of the running jobs promised it.
#pragma once
#include <vector>

#include "core/types.h"

namespace thinktime {

struct Scheduled {
  Time submit, start, end;
  Time expected_end;
  Processors processors;
};

// `jobs` in queue order, all started. Returns kNever for jobs that were never a blocked head.
std::vector<Time> promised_starts(const std::vector<Scheduled>& jobs, Processors processors);

}  // namespace thinktime
