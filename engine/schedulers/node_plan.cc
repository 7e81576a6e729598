#include "schedulers/node_plan.h"

namespace thinktime {

NodePlan::NodePlan(const Cluster& cluster) : resources_(cluster.nodes().resources()) {
  const Nodes& nodes = cluster.nodes();
  std::vector<Amount> totals(resources_, 0), pools;
  for (NodeId node = 0; node < nodes.size(); ++node) {
    const Amount* has = nodes.capacity(node);
    nodes_.push_back({{-kNever}, {has, has + resources_}});
    for (std::size_t r = 0; r < resources_; ++r) totals[r] += has[r];
  }
  for (std::uint32_t pool = 0; pool < cluster.pools(); ++pool) pools.push_back(cluster.pool_size(pool));
  totals_ = {{-kNever}, totals};
  pools_ = {{-kNever}, pools};
}

void NodePlan::advance(Time now) {
  now_ = now;
  ends_.erase(ends_.begin(), ends_.upper_bound(now));
}

// The step that begins at `time`; inserts it if necessary. Drops steps in the past.
std::size_t NodePlan::cut(Steps& steps, std::size_t width, Time time) {
  const auto after = std::upper_bound(steps.at.begin(), steps.at.end(), time);
  const auto k = static_cast<std::size_t>(after - steps.at.begin());
  if (steps.at[k - 1] == time) return k - 1;
  steps.at.insert(after, time);
  const auto from = steps.amounts.begin() + static_cast<std::ptrdiff_t>((k - 1) * width);
  const std::vector<Amount> same(from, from + static_cast<std::ptrdiff_t>(width));
  steps.amounts.insert(from + static_cast<std::ptrdiff_t>(width), same.begin(), same.end());
  return k;
}

void NodePlan::add(Steps& steps, std::size_t width, Time from, Time to, const Amount* change) {
  const auto passed = std::upper_bound(steps.at.begin(), steps.at.end(), now_) - steps.at.begin() - 1;
  if (passed > 0) {
    steps.at.erase(steps.at.begin(), steps.at.begin() + passed);
    steps.amounts.erase(steps.amounts.begin(), steps.amounts.begin() + passed * static_cast<std::ptrdiff_t>(width));
    steps.at[0] = -kNever;
  }
  const std::size_t begin = cut(steps, width, from), end = cut(steps, width, to);
  for (std::size_t i = begin * width; i < end * width; ++i) steps.amounts[i] += change[i % width];
}

void NodePlan::least(const Steps& steps, std::size_t width, Time from, Time to, Amount* amounts) const {
  auto k = static_cast<std::size_t>(std::upper_bound(steps.at.begin(), steps.at.end(), from) - steps.at.begin()) - 1;
  std::copy_n(&steps.amounts[k * width], width, amounts);
  for (++k; k < steps.at.size() && steps.at[k] < to; ++k)
    for (std::size_t i = 0; i < width; ++i) amounts[i] = std::min(amounts[i], steps.amounts[k * width + i]);
}

void NodePlan::change(const Cluster& cluster, JobId id, const Booking& booking, int sign) {
  const Time from = std::max(booking.from, now_);
  if (!(from < booking.to)) return;
  if (sign < 0) {
    ends_.insert(booking.to);
  } else if (const auto at = ends_.find(booking.to); at != ends_.end()) {
    ends_.erase(at);
  }
  change_nodes(cluster, id, booking, from, sign);
  if (cluster.pools_of(id).empty()) return;
  scratch_.assign(std::max(resources_, cluster.pools()), 0);
  for (const PoolUse& use : cluster.pools_of(id)) scratch_[use.pool] += sign * use.amount;
  add(pools_, cluster.pools(), from, booking.to, scratch_.data());
}

void NodePlan::give_nodes(const Cluster& cluster, JobId id, const Booking& booking) {
  const Time from = std::max(booking.from, now_);
  if (from < booking.to) change_nodes(cluster, id, booking, from, 1);
}

void NodePlan::change_nodes(const Cluster& cluster, JobId id, const Booking& booking, Time from, int sign) {
  const Unit unit = cluster.unit(id);
  scratch_.resize(std::max(resources_, cluster.pools()));
  const auto amounts = [&](Amount units) {
    for (std::size_t r = 0; r < resources_; ++r) scratch_[r] = sign * unit[r] * units;
    return scratch_.data();
  };
  Amount all = 0;
  each_node(booking.placement, [&](NodeId node, Processors units) {
    add(nodes_[node], resources_, from, booking.to, amounts(units));
    all += units;
  });
  add(totals_, resources_, from, booking.to, amounts(all));
}

bool NodePlan::earliest(const Cluster& cluster, JobId id, const Job& job, Time now, Time before, Booking& booking) {
  for (Time from = now; from < before; from = next_chance(cluster, from))
    if (fits_at(cluster, id, cluster.need(id, job, from), from, job.length, booking)) return true;
  return false;
}

// The next instant at which a planned end or the end of a closure may make room.
Time NodePlan::next_chance(const Cluster& cluster, Time after) const {
  const auto end = ends_.upper_bound(after);
  return std::min(end == ends_.end() ? kNever : *end, cluster.calendar().next_end(after));
}

// A job that starts now on nodes that must boot holds them longer. For later starts, boots are unknown.
bool NodePlan::fits_at(const Cluster& cluster, JobId id, Need need, Time from, Time length, Booking& booking) {
  scratch_.resize(std::max(resources_, cluster.pools()));
  least(totals_, resources_, from, from + length, scratch_.data());
  for (std::size_t r = 0; r < resources_; ++r)
    if (scratch_[r] < need.unit[r] * need.units) return false;
  if (!cluster.pools_of(id).empty()) least(pools_, cluster.pools(), from, from + length, scratch_.data());
  for (const PoolUse& use : cluster.pools_of(id))
    if (scratch_[use.pool] < use.amount) return false;
  booking.from = from;
  booking.to = from + length;
  const auto place = [&](const Need& each) { return choose(cluster, each, from, length, booking.placement); };
  return from == now_ ? cluster.place_booting(need, length, booking.placement, place) : place(need);
}

bool NodePlan::choose(const Cluster& cluster, const Need& need, Time from, Time length, Placement& placement) {
  roomy_.clear();
  for (NodeId node = 0; node < nodes_.size(); ++node) {
    least(nodes_[node], resources_, from, from + length, scratch_.data());
    const Processors units = units_in(scratch_.data(), need.unit, need.units);
    if (units == 0 || cluster.nodes().closed(node) || !need.may_use(node)) continue;
    roomy_.push_back({node, units, cluster.allocator().rank(scratch_.data(), cluster.nodes().capacity(node))});
  }
  return cluster.allocator().choose(roomy_, need, placement);
}

}  // namespace thinktime
