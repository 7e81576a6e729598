#include "platform/cluster.h"

#include <map>
#include <stdexcept>

namespace thinktime {
namespace {

Placement without(const Placement& placement, const Placement& some) {
  std::map<NodeId, Processors> gone;
  each_node(some, [&](NodeId node, Processors units) { gone[node] += units; });
  Placement rest;
  each_node(placement, [&](NodeId node, Processors units) {
    const auto at = gone.find(node);
    const Processors here = at == gone.end() ? 0 : std::min(units, at->second);
    if (here > 0) at->second -= here;
    if (units > here) put(rest, node, units - here);
  });
  return rest;
}

}  // namespace

std::vector<std::uint32_t> Cluster::add_shapes(std::span<const Amount> units) {
  const std::size_t resources = nodes_.resources();
  if (units.size() % resources) throw std::invalid_argument("a unit must have one amount per resource");
  std::vector<std::uint32_t> numbers;
  for (std::size_t at = 0; at < units.size(); at += resources)
    numbers.push_back(number_of(units.subspan(at, resources)));
  return numbers;
}

std::uint32_t Cluster::number_of(Unit unit) {
  if (std::ranges::max(unit) <= 0 || std::ranges::min(unit) < 0)
    throw std::invalid_argument("a unit must take something, and no amount below 0");
  const auto [at, is_new] =
      numbers_.try_emplace({unit.begin(), unit.end()}, static_cast<std::uint32_t>(numbers_.size()));
  if (!is_new) return at->second;
  units_.emplace_back(at->first);
  least_ = std::min(least_, unit[0]);
  capacity_.push_back(allocator_->capacity(nodes_, unit));
  refusals_.emplace_back();
  return at->second;
}

void Cluster::add_job(JobId id, std::uint32_t shape, std::vector<PoolUse> pools) {
  if (shape != kRefused && shape >= capacity_.size()) throw std::invalid_argument("a job has an unknown shape");
  for (const PoolUse& use : pools)
    if (use.pool >= pools_.size() || use.amount < 0) throw std::invalid_argument("a job uses an unknown pool");
  std::erase_if(
      pools, [](const PoolUse& use) { return use.amount == 0; });  // a job that takes nothing never waits for the pool
  if (id >= jobs_.size()) jobs_.resize(id + 1);
  jobs_[id].shape = shape;
  jobs_[id].owner = kNoOwner;
  jobs_[id].pools = std::move(pools);
  jobs_[id].placement.clear();
  jobs_[id].whole.clear();
}

bool Cluster::holds(JobId id, const Job& job) const {
  if (jobs_[id].shape == kRefused || job.processors > capacity_[jobs_[id].shape]) return false;
  for (const PoolUse& use : jobs_[id].pools)
    if (use.amount > pools_[use.pool]) return false;
  return true;
}

bool Cluster::pools_suffice(JobId id) const {
  for (const PoolUse& use : jobs_[id].pools)
    if (use.amount > pools_free_[use.pool]) return false;
  return true;
}

bool Cluster::is_free(JobId id, const Placement& placement) const {
  bool free = pools_suffice(id);
  each_node(placement,
            [&](NodeId node, Processors units) { free = free && nodes_.units(node, unit(id), units) == units; });
  return free;
}

Time Cluster::boot_of(const Placement& placement, Time now) const {
  const NodeValues& values = nodes_.values();
  Time longest = 0;
  each_node(placement, [&](NodeId node, Processors) {
    longest = std::max({longest, (now + values.boot_s[node]) - now, values.booted[node] - now});
  });
  return longest;
}

bool Cluster::meets_closure(JobId id, const Job& job, const Placement& placement, Time now) const {
  if (calendar_.empty()) return false;
  Need asked = need(id, job, now);
  if (boots_matter()) set_time(asked, now, now + (job.length + boot_of(placement, now)));
  bool meets = false;
  each_node(placement, [&](NodeId node, Processors) { meets = meets || !asked.may_use(node); });
  return meets;
}

void Cluster::take(JobId id) {
  std::swap(jobs_[id].placement, found_);
  jobs_[id].whole.clear();
  changed(id, jobs_[id].placement, -1);
  change_pools(id, -1);
}

void Cluster::give(JobId id) {
  ++returns_;
  changed(id, jobs_[id].placement, 1);
  change_pools(id, 1);
}

void Cluster::take_back(JobId id) {
  each_node(jobs_[id].placement, [&](NodeId node, Processors units) {
    nodes_.take_back(node, unit(id), units);
    allocator_->changed(nodes_, node);
  });
  change_pools(id, -1);
}

void Cluster::give_some(JobId id, const Placement& some) {
  ++returns_;
  changed(id, some, 1);
  JobOnNodes& job = jobs_[id];
  if (job.whole.empty()) job.whole = job.placement;
  job.placement = without(job.placement, some);
}

void Cluster::changed(JobId id, const Placement& placement, int sign) {
  const Unit each = unit(id);
  each_node(placement, [&](NodeId node, Processors units) {
    sign > 0 ? nodes_.give(node, each, units) : nodes_.take(node, each, units);
    allocator_->changed(nodes_, node);
  });
}

void Cluster::change_pools(JobId id, int sign) {
  for (const PoolUse& use : jobs_[id].pools) pools_free_[use.pool] += sign * use.amount;
}

}  // namespace thinktime
