// What plugins know of single nodes, for other plugins and for allocators. Empty where nobody publishes it.
#pragma once
#include <vector>

#include "platform/calendar.h"

namespace thinktime {

struct NodeValues {
  std::vector<double> watts;          // by node: drawn now
  std::vector<double> temperature_c;  // by node
  // Where nodes are switched off, by node: how long it would boot if it were asked for, 0 unless it is off; and when it
  // will have booted, -kNever unless it boots.
  std::vector<Time> boot_s, booted;
  bool watched = false;         // somebody wants to know whose watts have changed:
  std::vector<NodeId> changed;  // these, perhaps several times; the watcher empties the list
};

}  // namespace thinktime
