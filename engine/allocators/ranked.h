// Allocators that order nodes by what is free: best fit and worst fit.
//
// The nodes are in a blocked list with the maximum free amount of each resource per block, so that a search skips
// blocks of full nodes.
#pragma once
#include <array>

#include "core/blocked_list.h"
#include "platform/allocator.h"

namespace thinktime {

// Number of resources in a block's bound; further ones are not bounded.
inline constexpr std::size_t kBoundResources = 8;

struct RankedNode {
  double key;  // the rank, or its negative
  NodeId node;
  const Amount* free;  // null once removed
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
  std::size_t ranked_;        // number of resources in the rank
  std::vector<double> keys_;  // by node: its key in the list
  BlockedList<RankedNode, MostFree> list_;
};

}  // namespace thinktime
