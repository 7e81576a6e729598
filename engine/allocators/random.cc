// Random: nodes drawn one after the other, uniformly among those with room.
//
// Each job has its own random stream, so its draws do not depend on other jobs. A node is drawn from all nodes; after
// several misses in a row, from the list of nodes with room.
#include <string>

#include "core/random.h"
#include "platform/allocator.h"

namespace thinktime {
namespace {

class Random : public Allocator {
 public:
  Random(const Nodes& nodes, const Options& options)
      : size_(nodes.size()),
        low_(std::stoull(options.text("seed_low", "0"))),
        high_(std::stoull(options.text("seed_high", "0"))),
        taken_(nodes.size(), 0) {}

  bool choose(std::vector<Roomy>& roomy, const Need& need, Placement& placement) const override {
    const auto units = [&](NodeId node) {
      const auto at = std::lower_bound(roomy.begin(), roomy.end(), node,
                                       [](const Roomy& each, NodeId id) { return each.node < id; });
      return at != roomy.end() && at->node == node ? at->units : 0;
    };
    const auto all = [&](std::vector<NodeId>& nodes) {
      for (const Roomy& each : roomy) nodes.push_back(each.node);
    };
    return draw(need, units, all, placement);
  }

  bool place(const Nodes& nodes, const Need& need, Placement& placement) override {
    const auto units = [&](NodeId node) { return need.may_use(node) ? nodes.units(node, need.unit, need.units) : 0; };
    const auto all = [&](std::vector<NodeId>& list) {
      for (NodeId node = 0; (node = nodes.next_roomy(node, need)) < nodes.size(); ++node) list.push_back(node);
    };
    return nodes.totals_suffice(need.unit, need.units) && draw(need, units, all, placement);
  }

  bool nested() const override { return false; }  // each job has its own draws

 private:
  static constexpr int kTries = 16;

  template <class UnitsOn, class AllRoomy>
  bool draw(const Need& need, UnitsOn units_on, AllRoomy all_roomy, Placement& placement) const {
    Philox random(low_, high_ + need.row);
    placement.clear();
    ++round_;
    for (Processors missing = need.units; missing > 0;) {
      const NodeId node = next(random, units_on, all_roomy);
      if (node == size_) return false;
      taken_[node] = round_;
      const Processors units = std::min(missing, units_on(node));
      put(placement, node, units);
      missing -= units;
    }
    return true;
  }

  template <class UnitsOn, class AllRoomy>
  NodeId next(Philox& random, UnitsOn units_on, AllRoomy all_roomy) const {
    for (int i = 0; i < kTries; ++i) {
      const NodeId node = below(random, size_);
      if (taken_[node] != round_ && units_on(node) > 0) return node;
    }
    list_.clear();
    all_roomy(list_);
    std::erase_if(list_, [&](NodeId node) { return taken_[node] == round_; });
    return list_.empty() ? size_ : list_[below(random, static_cast<NodeId>(list_.size()))];
  }

  static NodeId below(Philox& random, NodeId n) { return static_cast<NodeId>(random.uniform() * n); }

  NodeId size_;
  std::uint64_t low_, high_;                  // the key of the streams; a job adds its row
  mutable std::vector<std::uint64_t> taken_;  // by node: the last placement that took it
  mutable std::uint64_t round_ = 0;
  mutable std::vector<NodeId> list_;
};

const RegisterAllocator random{
    "random", [](const Nodes& nodes, const Options& options) { return std::make_unique<Random>(nodes, options); }};

}  // namespace
}  // namespace thinktime
