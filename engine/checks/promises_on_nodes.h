// What a finished schedule on nodes owed its blocked heads (promises.h), where the allocator takes whatever has room.
#pragma once
#include <vector>

#include "checks/promises.h"
#include "platform/nodes.h"

namespace thinktime {

struct OnNodes {
  std::vector<Amount> capacity;  // [node * resources + resource]
  std::size_t resources;
  std::vector<Amount> units;          // [job * resources + resource]: what a processor of each job takes
  std::vector<Placement> placements;  // by job
  bool neighbours;                    // all nodes of a job stand side by side
};

std::vector<Time> promised_starts(const std::vector<Scheduled>& jobs, const OnNodes& nodes);

}  // namespace thinktime
