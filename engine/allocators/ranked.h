// Allocators that visit nodes by how much is free on them: best fit and worst fit.
//
// The nodes are kept in a sorted list in blocks, with the most that is free of each resource on a node of a block, so
// that a search passes over blocks of nodes that are too full.
#pragma once
#include <array>

#include "core/blocked_list.h"
#include "platform/allocator.h"

namespace thinktime {

// Resources that a block's bound knows; of further ones it promises everything.
inline constexpr std::size_t kBoundResources = 8;

struct RankedNode {
  double key;  // the rank, or its negative
  NodeId node;
  const Amount* free;  // nullptr once it has left this place in the order
  std::size_t resources;

  bool before(const RankedNode& other) const { return key < other.key || (key == other.key && node < other.node); }
  void kill() { free = nullptr; }
  bool dead() const { return free == nullptr; }
};

struct MostFree {
  std::array<Amount, kBoundResources> amounts{};

  void add(const RankedNode& item) {
    for (std::size_t r = 0; r < std::min(item.resources, kBoundResources); ++r)
      amounts[r] = std::max(amounts[r], item.free[r]);
  }
  void add(const MostFree& other) {
    for (std::size_t r = 0; r < kBoundResources; ++r) amounts[r] = std::max(amounts[r], other.amounts[r]);
  }
  bool remove(const RankedNode&) const { return true; }
  bool may_hold(Unit unit) const {
    for (std::size_t r = 0; r < std::min(unit.size(), kBoundResources); ++r)
      if (amounts[r] < unit[r]) return false;
    return true;
  }
};

enum class Ranking { raw, normalized };

class Ranked : public Allocator {
 public:
  Ranked(const Nodes& nodes, const Options& options, double sign);

  bool choose(std::vector<Roomy>& roomy, const Need& need, Placement& placement) const override;
  bool place(const Nodes& nodes, const Need& need, Placement& placement) override;
  double rank(const Amount* free, const Amount* capacity) const override;
  void changed(const Nodes& nodes, NodeId node) override;

 private:
  RankedNode item(const Nodes& nodes, NodeId node) const {
    return {keys_[node], node, nodes.free(node), nodes.resources()};
  }

  double sign_;  // 1: the fullest first, -1: the emptiest
  Ranking ranking_;
  std::size_t ranked_;        // resources that count
  std::vector<double> keys_;  // by node, as it is in the list
  BlockedList<RankedNode, MostFree> list_;
};

}  // namespace thinktime
