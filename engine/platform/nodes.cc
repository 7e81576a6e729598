#include "platform/nodes.h"

#include <stdexcept>
#include <utility>

namespace thinktime {

Nodes::Nodes(std::vector<Amount> capacity, std::size_t resources)
    : resources_(resources),
      size_(static_cast<NodeId>(capacity.size() / resources)),
      capacity_(std::move(capacity)),
      free_(capacity_),
      total_(resources, 0) {
  for (std::size_t i = 0; i < free_.size(); ++i) total_[i % resources] += free_[i];
  block_.assign((size_ + kBlock - 1) / kBlock * resources, 0);
  group_.assign((size_ + kGroup - 1) / kGroup * resources, 0);
  for (NodeId node = 0; node < size_; ++node) {
    widen(&block_[node / kBlock * resources_], free(node));
    widen(&group_[node / kGroup * resources_], free(node));
  }
}

NodeId Nodes::next_roomy(NodeId from, Unit unit) const {
  NodeId node = from, entered = from;  // no node from `entered` on had room
  while ((node = skip(node, unit)) < size_) {
    if (node % kBlock == 0) entered = node;
    const NodeId past = std::min(size_, (node / kBlock + 1) * kBlock);
    for (; node < past; ++node)
      if (holds(free(node), unit)) return node;
    if (entered % kBlock == 0) tighten_block(entered / kBlock);
  }
  return size_;
}

// At the beginning of a block: skips all blocks and groups that cannot hold a unit.
NodeId Nodes::skip(NodeId node, Unit unit) const {
  while (node < size_ && node % kBlock == 0) {
    if (node % kGroup == 0 && !group_may_hold(node / kGroup, unit)) {
      node += kGroup;
    } else if (!block_may_hold(node / kBlock, unit)) {
      node += kBlock;
      if (node % kGroup == 0) tighten_group(node / kGroup - 1);
    } else {
      break;
    }
  }
  return std::min(node, size_);
}

void Nodes::tighten_block(NodeId block) const {
  Amount* bound = &block_[block * resources_];
  std::fill(bound, bound + resources_, 0);
  const NodeId past = std::min(size_, (block + 1) * kBlock);
  for (NodeId node = block * kBlock; node < past; ++node) widen(bound, free(node));
}

void Nodes::tighten_group(NodeId group) const {
  Amount* bound = &group_[group * resources_];
  std::fill(bound, bound + resources_, 0);
  const NodeId past = std::min(static_cast<NodeId>(block_.size() / resources_), (group + 1) * (kGroup / kBlock));
  for (NodeId block = group * (kGroup / kBlock); block < past; ++block) widen(bound, &block_[block * resources_]);
}

void Nodes::take(NodeId node, Unit unit, Processors units) {
  Amount* free = &free_[node * resources_];
  for (std::size_t r = 0; r < resources_; ++r) {
    free[r] -= unit[r] * units;
    total_[r] -= unit[r] * units;
    if (free[r] < 0) throw std::logic_error("a node would hold more than its capacity");
  }
}

void Nodes::give(NodeId node, Unit unit, Processors units) {
  if (closed(node)) {
    for (std::size_t r = 0; r < resources_; ++r) withheld_[node * resources_ + r] += unit[r] * units;
    return;
  }
  Amount* free = &free_[node * resources_];
  for (std::size_t r = 0; r < resources_; ++r) {
    free[r] += unit[r] * units;
    total_[r] += unit[r] * units;
  }
  widen(&block_[node / kBlock * resources_], free);
  widen(&group_[node / kGroup * resources_], free);
}

void Nodes::take_back(NodeId node, Unit unit, Processors units) {
  if (!closed(node)) return take(node, unit, units);
  for (std::size_t r = 0; r < resources_; ++r) withheld_[node * resources_ + r] -= unit[r] * units;
}

bool Nodes::close(NodeId node) {
  reasons_.resize(size_);
  withheld_.resize(free_.size());
  if (reasons_[node]++ > 0) return false;
  for (std::size_t r = 0; r < resources_; ++r) {
    total_[r] -= free_[node * resources_ + r];
    withheld_[node * resources_ + r] = std::exchange(free_[node * resources_ + r], 0);
  }
  return true;
}

bool Nodes::open(NodeId node) {
  if (!closed(node)) throw std::logic_error("a node was opened that is not closed");
  if (--reasons_[node] > 0) return false;
  Amount* free = &free_[node * resources_];
  for (std::size_t r = 0; r < resources_; ++r) {
    free[r] = std::exchange(withheld_[node * resources_ + r], 0);
    total_[r] += free[r];
  }
  widen(&block_[node / kBlock * resources_], free);
  widen(&group_[node / kGroup * resources_], free);
  return true;
}

}  // namespace thinktime
