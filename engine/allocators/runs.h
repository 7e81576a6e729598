// Runs of adjacent nodes with room, for one kind of unit: finds the first run that holds n units.
//
// Blocks of 32 nodes and groups of 32 blocks summarize their runs, so a search skips those without a sufficient run. A
// search recounts blocks that have changed since it last read them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "platform/nodes.h"

namespace thinktime {

// Counters of changes to what is free, by block and by group.
class Changes {
 public:
  static constexpr NodeId kBlock = 32;  // nodes per block, and blocks per group

  explicit Changes(NodeId nodes) : blocks_(nodes / kBlock + 1, 1), groups_(nodes / kBlock / kBlock + 1, 1) {}
  void add(NodeId node) {
    ++blocks_[node / kBlock];
    ++groups_[node / kBlock / kBlock];
  }
  const std::vector<std::uint32_t>& blocks() const { return blocks_; }
  const std::vector<std::uint32_t>& groups() const { return groups_; }

 private:
  std::vector<std::uint32_t> blocks_, groups_;
};

class Runs {
 public:
  Runs(const Changes& changes, Unit unit)
      : changes_(changes), unit_(unit), blocks_(changes.blocks().size()), groups_(changes.groups().size()) {}

  // The node at which the first sufficient run reaches `units`; size() if there is none.
  NodeId complete_at(const Nodes& nodes, std::int64_t units);

 private:
  // The units that fit on runs within a range of nodes.
  struct Run {
    std::int64_t head = 0;  // on the run that begins at the first node
    std::int64_t tail = 0;  // on the run that ends at the last node
    std::int64_t best = 0;  // on the best run
    bool whole = true;      // all nodes have room

    void append(const Run& next) {
      best = std::max({best, next.best, tail + next.head});
      if (whole) head += next.head;
      tail = next.whole ? tail + next.head : next.tail;
      whole = whole && next.whole;
    }
  };
  struct Seen : Run {
    std::uint32_t changes = 0;  // counter when this was computed
  };

  Run of_node(const Nodes& nodes, NodeId node) const {
    const std::int64_t units = units_in(nodes.free(node), unit_);
    return {units, units, units, units > 0};
  }
  const Run& of_block(const Nodes& nodes, NodeId block);
  const Run& of_group(const Nodes& nodes, NodeId group);

  const Changes& changes_;
  Unit unit_;
  std::vector<Seen> blocks_, groups_;
};

}  // namespace thinktime
