// Values per node that plugins publish for other plugins and for allocators. Empty if no plugin publishes them.
#pragma once
#include <vector>

#include "platform/calendar.h"

namespace thinktime {

struct NodeValues {
  std::vector<double> watts;          // by node: drawn now
  std::vector<double> temperature_c;  // by node
  // If nodes can be switched off, by node: seconds that a boot would take, 0 unless it is off; and when a running boot
  // ends, -kNever unless it boots.
  std::vector<Time> boot_s, booted;
  bool watched = false;         // a plugin reads `changed`
  std::vector<NodeId> changed;  // nodes whose watts have changed, possibly repeated; the reader empties the list
};

}  // namespace thinktime
