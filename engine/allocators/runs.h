// Runs of neighbouring nodes with room, for units of one kind: where the first is that holds so many.
//
// Blocks of 32 nodes and groups of 32 blocks know the runs within them, and so a search passes over those that hold no
// run that suffices. What has changed since a block was last looked at is counted anew when a search comes by.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "platform/nodes.h"

namespace thinktime {

// How often what is free has changed, by block and by group.
class Changes {
 public:
  static constexpr NodeId kBlock = 32;  // nodes of a block, and blocks of a group

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

  // The node on which the first run that holds so many units comes to hold them; size() if there is none.
  NodeId complete_at(const Nodes& nodes, std::int64_t units);

 private:
  // The units that fit on neighbouring nodes with room, within some nodes.
  struct Run {
    std::int64_t head = 0;  // from the first node on
    std::int64_t tail = 0;  // up to the last
    std::int64_t best = 0;  // anywhere
    bool whole = true;      // all have room

    void append(const Run& next) {
      best = std::max({best, next.best, tail + next.head});
      if (whole) head += next.head;
      tail = next.whole ? tail + next.head : next.tail;
      whole = whole && next.whole;
    }
  };
  struct Seen : Run {
    std::uint32_t changes = 0;  // when this was counted
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
