#include "checks/promises_on_nodes.h"

#include <limits>
#include <set>
#include <utility>

#include "checks/promise_sweep.h"

namespace thinktime {
namespace {

// Saturates: an invalid schedule may use far more than the cluster has.
Amount sum(Amount a, Amount b) {
  Amount found = 0;
  if (!__builtin_add_overflow(a, b, &found)) return found;
  return a < 0 ? std::numeric_limits<Amount>::min() : std::numeric_limits<Amount>::max();
}

class RunningOnNodes {
 public:
  RunningOnNodes(const std::vector<Scheduled>& jobs, const OnNodes& on) : jobs_(jobs), on_(on), free_(on.capacity) {}

  void start(std::uint32_t i) {
    running_.insert({jobs_[i].expected_end, i});
    change(free_, i, -1);
  }
  void end(std::uint32_t i) {
    running_.erase({jobs_[i].expected_end, i});
    change(free_, i, 1);
  }

  // The first expected end at which the head fits.
  Time promise(std::uint32_t head, Time now) {
    look_for(head);
    for (auto at = running_.begin(); at != running_.end(); ++at) {
      come_back(at->second);
      const auto next = std::next(at);
      if (next != running_.end() && next->first == at->first) continue;
      if (units_ >= need_ && (!on_.neighbours || some_run_suffices())) return std::max(now, at->first);
    }
    return kNever;
  }

 private:
  Unit unit(std::uint32_t i) const { return Unit(&on_.units[i * on_.resources], on_.resources); }
  Processors fit(std::size_t node) const { return units_in(&later_[node * on_.resources], unit_, need_); }

  void change(std::vector<Amount>& free, std::uint32_t i, Processors sign) const {
    each_node(on_.placements[i], [&](NodeId node, Processors units) { change(free, i, node, sign * units); });
  }
  void change(std::vector<Amount>& free, std::uint32_t i, NodeId node, Processors units) const {
    for (std::size_t r = 0; r < on_.resources; ++r)
      free[node * on_.resources + r] = sum(free[node * on_.resources + r], unit(i)[r] * units);
  }

  void look_for(std::uint32_t head) {
    later_ = free_;
    unit_ = unit(head);
    need_ = jobs_[head].processors;
    units_ = 0;
    for (std::size_t node = 0; node < later_.size() / on_.resources; ++node) units_ += fit(node);
  }

  void come_back(std::uint32_t i) {
    each_node(on_.placements[i], [&](NodeId node, Processors units) {
      units_ -= fit(node);
      change(later_, i, node, units);
      units_ += fit(node);
    });
  }

  bool some_run_suffices() const {
    std::int64_t run = 0;
    for (std::size_t node = 0; node < later_.size() / on_.resources; ++node) {
      const Processors here = fit(node);
      run = here > 0 ? run + here : 0;
      if (run >= need_) return true;
    }
    return false;
  }

  const std::vector<Scheduled>& jobs_;
  const OnNodes& on_;
  std::vector<Amount> free_, later_;                  // [node * resources + resource]
  std::set<std::pair<Time, std::uint32_t>> running_;  // by expected end
  Unit unit_;                                         // of the head
  Processors need_ = 0;                               // units of the head
  std::int64_t units_ = 0;                            // units that fit later, at most need_ per node
};

}  // namespace

std::vector<Time> promised_starts(const std::vector<Scheduled>& jobs, const OnNodes& nodes) {
  return sweep_promises(jobs, RunningOnNodes(jobs, nodes));
}

}  // namespace thinktime
