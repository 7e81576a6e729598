// The same promises (promises.h) on nodes, for allocators that use any node with room, or neighbouring nodes only.
#pragma once
#include <vector>

#include "checks/promises.h"
#include "platform/nodes.h"

namespace thinktime {

struct OnNodes {
  std::vector<Amount> capacity;  // [node * resources + resource]
  std::size_t resources;
  std::vector<Amount> units;          // [job * resources + resource]: amounts per processor
  std::vector<Placement> placements;  // by job
  bool neighbours;                    // the nodes of a job must be adjacent
};

std::vector<Time> promised_starts(const std::vector<Scheduled>& jobs, const OnNodes& nodes);

}  // namespace thinktime
