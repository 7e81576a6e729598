#include "allocators/ranked.h"

namespace thinktime {

Ranked::Ranked(const Nodes& nodes, const Options& options, double sign)
    : sign_(sign),
      ranking_(options.text("ranking", "raw") == "raw" ? Ranking::raw : Ranking::normalized),
      ranked_(static_cast<std::size_t>(options.number("ranked", static_cast<double>(nodes.resources())))),
      keys_(nodes.size()) {
  for (NodeId node = 0; node < nodes.size(); ++node) {
    keys_[node] = rank(nodes.free(node), nodes.capacity(node));
    list_.insert(item(nodes, node));
  }
}

// The order of operations equals that of the reference, so that ranks are bit-identical.
double Ranked::rank(const Amount* free, const Amount* capacity) const {
  if (ranking_ == Ranking::raw) {
    Amount sum = 0;
    for (std::size_t r = 0; r < ranked_; ++r) sum += free[r];
    return sign_ * static_cast<double>(sum);
  }
  double sum = 0;
  for (std::size_t r = 0; r < ranked_; ++r)
    if (capacity[r] > 0) sum += static_cast<double>(free[r]) / static_cast<double>(capacity[r]);
  return sign_ * sum;
}

bool Ranked::choose(std::vector<Roomy>& roomy, const Need& need, Placement& placement) const {
  std::stable_sort(roomy.begin(), roomy.end(), [](const Roomy& a, const Roomy& b) { return a.rank < b.rank; });
  return fill(roomy, need.units, placement);
}

bool Ranked::place(const Nodes& nodes, const Need& need, Placement& placement) {
  placement.clear();
  Processors missing = need.units;
  const auto may = [&](const MostFree& most) { return most.may_hold(need.unit); };
  const auto fits = [&](const RankedNode& each) {
    return !each.dead() && nodes.units(each.node, need.unit, 1) > 0 && need.may_use(each.node);
  };
  for (auto at = list_.begin(); list_.valid(at = list_.find_from(at, may, fits)); ++at.offset) {
    const NodeId node = list_[at].node;
    const Processors units = nodes.units(node, need.unit, missing);
    put(placement, node, units);
    if ((missing -= units) == 0) return true;
  }
  return false;
}

void Ranked::changed(const Nodes& nodes, NodeId node) {
  list_.erase(item(nodes, node));
  keys_[node] = rank(nodes.free(node), nodes.capacity(node));
  list_.insert(item(nodes, node));
}

}  // namespace thinktime
