// Contiguous: the first run of adjacent nodes with room that holds the whole job.
#include "allocators/runs.h"
#include "platform/allocator.h"

namespace thinktime {
namespace {

class Contiguous : public Allocator {
 public:
  explicit Contiguous(const Nodes& nodes) : changes_(nodes.size()) {}

  bool choose(std::vector<Roomy>& roomy, const Need& need, Placement& placement) const override {
    std::size_t first = 0;   // index of the first node of the run
    std::int64_t units = 0;  // that fit on the run so far
    for (std::size_t i = 0; i < roomy.size(); ++i) {
      if (i > 0 && roomy[i].node != roomy[i - 1].node + 1) first = i, units = 0;
      if ((units += roomy[i].units) < need.units) continue;
      roomy.erase(roomy.begin(), roomy.begin() + static_cast<std::ptrdiff_t>(first));
      return fill(roomy, need.units, placement);
    }
    return false;
  }

  bool place(const Nodes& nodes, const Need& need, Placement& placement) override {
    placement.clear();
    return keeps_runs(nodes, need) ? on_first_run(nodes, need, placement) : walk(nodes, need, placement);
  }

  void changed(const Nodes&, NodeId node) override { changes_.add(node); }

  bool adds_up() const override { return false; }

  std::int64_t capacity(const Nodes& nodes, Unit unit) const override {
    std::int64_t run = 0, most = 0;
    for (NodeId node = 0; node < nodes.size(); ++node) {
      const std::int64_t units = units_in(nodes.capacity(node), unit);
      run = units == 0 ? 0 : run + units;
      most = std::max(most, run);
    }
    return most;
  }

 private:
  static constexpr NodeId kManyNodes = 1 << 13;        // below this, a walk over the nodes is faster than keeping runs
  static constexpr std::size_t kMostBlocks = 1 << 20;  // limit for runs; further kinds are placed by a walk

  bool keeps_runs(const Nodes& nodes, const Need& need) {
    if (nodes.size() < kManyNodes || need.calendar) return false;
    if (need.shape >= runs_.size()) runs_.resize(need.shape + 1);
    if (!runs_[need.shape] && blocks_ < kMostBlocks) {
      runs_[need.shape] = std::make_unique<Runs>(changes_, need.unit);
      blocks_ += changes_.blocks().size();
    }
    return runs_[need.shape] != nullptr;
  }

  bool on_first_run(const Nodes& nodes, const Need& need, Placement& placement) {
    NodeId node = runs_[need.shape]->complete_at(nodes, need.units);
    if (node == nodes.size()) return false;
    while (node > 0 && nodes.units(node - 1, need.unit, 1) > 0) --node;
    for (Processors missing = need.units; missing > 0; ++node) {
      const Processors units = nodes.units(node, need.unit, missing);
      put(placement, node, units);
      missing -= units;
    }
    return true;
  }

  // Walks over the nodes with room until a run suffices.
  static bool walk(const Nodes& nodes, const Need& need, Placement& placement) {
    Processors missing = need.units;
    NodeId next = 0;  // the node that continues the run
    for (NodeId node = 0; (node = nodes.next_roomy(node, need)) < nodes.size(); ++node) {
      if (node != next) placement.clear(), missing = need.units;
      const Processors units = nodes.units(node, need.unit, missing);
      put(placement, node, units);
      if ((missing -= units) == 0) return true;
      next = node + 1;
    }
    return false;
  }

  Changes changes_;
  std::vector<std::unique_ptr<Runs>> runs_;  // by shape
  std::size_t blocks_ = 0;                   // in all runs_
};

const RegisterAllocator contiguous{
    "contiguous", [](const Nodes& nodes, const Options&) { return std::make_unique<Contiguous>(nodes); }};

}  // namespace
}  // namespace thinktime
