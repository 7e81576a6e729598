// Conservative backfilling on nodes: each waiting job has a promised start on promised nodes.
//
// As on a counted machine (conservative.cc), but a slot is a booking of nodes. A job keeps its booking until an end
// allows an earlier one, and starts on exactly these nodes.
#pragma once
#include "system/scheduler.h"

namespace thinktime {

std::unique_ptr<Scheduler> make_conservative_on_nodes(const Options& options);

}  // namespace thinktime
