// Conservative backfilling on nodes: every waiting job is promised a start and its nodes.
//
// As on a counted machine (conservative.cc), but a slot is a booking of nodes. A job keeps its booking until an end lets
// it have an earlier one, and starts on these very nodes.
#pragma once
#include "system/scheduler.h"

namespace thinktime {

std::unique_ptr<Scheduler> make_conservative_on_nodes(const Options& options);

}  // namespace thinktime
