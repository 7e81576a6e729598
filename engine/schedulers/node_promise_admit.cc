// Which later jobs may start now: those that leave the head its promise.
#include "schedulers/node_promise.h"

namespace thinktime {

// Some allocators choose other nodes at another time.
void NodePromise::forget_old_answers(const System& system) {
  if (answered_ == system.now() || system.cluster()->allocator().steady()) return;
  answered_ = system.now();
  head_placed_ = false;
  ++state_;
}

bool NodePromise::admit(System& system, JobId id) {
  forget_old_answers(system);
  Cluster& cluster = *system.cluster();
  const Job& job = system.job(id);
  const bool over = system.now() + job.length <= shadow_;
  const Need need = cluster.need(id, job, system.now());
  if (!over && (!totals_leave(need) || !pools_leave(cluster, id) || refused_before(cluster, id, need))) return false;
  if (!system.has_room(id)) return false;
  if (over) {
    takes_and_gives_back(cluster, id, cluster.found());
    return true;
  }
  Need others = need;
  if (!head_fits_beside(cluster, id, cluster.found()) && !on_other_nodes(cluster, others, job.length)) {
    // If boots made it meet more closures, a shorter job may still find nodes.
    if (cluster.found_met() == need.met && others.met == need.met)
      refusals_[cluster.shape(id)] = {state_, need.units, need.met, need.owner};
    return false;
  }
  stays_beyond(cluster, id, need);
  return true;
}

// The job still holds its nodes at the shadow.
void NodePromise::stays_beyond(Cluster& cluster, JobId id, const Need& need) {
  units_ -= lost_to(cluster, id, cluster.found());
  for (std::size_t r = 0; r < left_.size(); ++r) left_[r] -= need.unit[r] * need.units;
  head_placed_ = false;
  count_extra(cluster);
}

// Whether the totals at the shadow suffice for both the head and the job: a quick necessary condition.
bool NodePromise::totals_leave(const Need& need) const {
  for (std::size_t r = 0; r < left_.size(); ++r)
    if (need.unit[r] * need.units > left_[r]) return false;
  return true;
}

// With a nested allocator, a refusal of n units implies a refusal of more.
bool NodePromise::refused_before(const Cluster& cluster, JobId id, const Need& need) {
  if (refusals_.size() < cluster.shapes()) refusals_.resize(cluster.shapes());  // streamed jobs add shapes
  const Refusal& refusal = refusals_[cluster.shape(id)];
  return refusal.state == state_ && need.units >= refusal.units && need.met == refusal.met &&
         need.owner == refusal.owner && cluster.allocator().nested();
}

// A job that starts now and ends by the shadow leaves what is free there unchanged.
void NodePromise::takes_and_gives_back(const Cluster& cluster, JobId id, const Placement& placement) {
  add_back(cluster, id, placement, 1);
  for (const PoolUse& use : cluster.pools_of(id)) pools_back_[use.pool] += use.amount;
}

void NodePromise::add_back(const Cluster& cluster, JobId id, const Placement& placement, Processors sign) {
  const Unit unit = cluster.unit(id);
  each_node(placement, [&](NodeId node, Processors units) {
    Amount* amounts = back(cluster, node);
    for (std::size_t r = 0; r < unit.size(); ++r) amounts[r] += sign * unit[r] * units;
  });
}

bool NodePromise::head_fits_beside(const Cluster& cluster, JobId id, const Placement& placement) {
  if (units_ - lost_to(cluster, id, placement) < head_.units) return false;
  if (cluster.allocator().adds_up()) return true;
  add_back(cluster, id, placement, -1);
  const bool fits = finds_nodes(cluster);
  add_back(cluster, id, placement, 1);
  return fits;
}

// Whether the pools suffice at the shadow for both the head and the job. If the shadow was kept and a job has overrun
// it, they may not suffice for the head alone.
bool NodePromise::pools_leave(const Cluster& cluster, JobId id) const {
  for (const PoolUse& heads : cluster.pools_of(head_job_)) {
    Amount asked = heads.amount;
    for (const PoolUse& mine : cluster.pools_of(id))
      if (mine.pool == heads.pool) asked += mine.amount;
    PoolLevels* const levels = cluster.levels();
    if (levels && heads.pool == levels->pool() ? !levels->holds(head_job_, shadow_, id)
                                               : cluster.pool_free(heads.pool) + pools_back_[heads.pool] < asked)
      return false;
  }
  return true;
}

// The number of head units that no longer fit at the shadow if the job holds these nodes.
std::int64_t NodePromise::lost_to(const Cluster& cluster, JobId id, const Placement& placement) const {
  const Unit unit = cluster.unit(id);
  std::int64_t lost = 0;
  each_node(placement, [&](NodeId node, Processors units) {
    if (!open(node)) return;
    const Amount* free = at_shadow(cluster, node);
    for (std::size_t r = 0; r < unit.size(); ++r) less_[r] = free[r] - unit[r] * units;
    lost += head_units(free) - head_units(less_.data());
  });
  return lost;
}

// Lets the allocator choose among what is free now and not reserved for the head at the shadow.
bool NodePromise::on_other_nodes(Cluster& cluster, Need& need, Time length) {
  return place_head(cluster) && cluster.place_booting(need, length, cluster.found(), [&](const Need& each) {
    return choose_beside_head(cluster, each);
  });
}

bool NodePromise::choose_beside_head(Cluster& cluster, const Need& need) {
  const Nodes& nodes = cluster.nodes();
  roomy_.clear();
  for (NodeId node = 0; (node = nodes.next_roomy(node, need)) < nodes.size(); ++node) {
    const Amount* later = at_shadow(cluster, node);
    for (std::size_t r = 0; r < need.unit.size(); ++r)
      less_[r] = std::min(nodes.free(node)[r], later[r] - heads_on_[node] * head_.unit[r]);
    const Processors units = units_in(less_.data(), need.unit, need.units);
    if (units > 0) roomy_.push_back({node, units, cluster.allocator().rank(less_.data(), nodes.capacity(node))});
  }
  return cluster.allocator().choose(roomy_, need, cluster.found());
}

// False if the head would find no nodes.
bool NodePromise::place_head(const Cluster& cluster) {
  if (head_placed_) return !heads_.empty();
  head_placed_ = true;
  each_node(heads_, [&](NodeId node, Processors) { heads_on_[node] = 0; });
  list_roomy(cluster);
  if (!cluster.allocator().choose(roomy_, head_, heads_)) heads_.clear();
  each_node(heads_, [&](NodeId node, Processors units) { heads_on_[node] = units; });
  return !heads_.empty();
}

}  // namespace thinktime
