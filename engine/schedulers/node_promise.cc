// When the head can start, and on which nodes: jobs release nodes and closures end until it fits.
#include "schedulers/node_promise.h"

namespace thinktime {

void NodePromise::make(const System& system, JobId head, bool count_ties) {
  begin(system, head);
  shadow_ = kNever;
  until_it_fits(system, count_ties);
  count_extra(*system.cluster());
}

// Jobs release nodes and closures end until the head fits; then adds what else is released at that instant.
void NodePromise::until_it_fits(const System& system, bool count_ties) {
  const Cluster& cluster = *system.cluster();
  const PoolLevels* levels = cluster.levels();
  Time last = std::max(system.now(), cluster.calendar().last_end());
  Time bound = kNever;  // after it, levels repeat
  const auto reopens = [&](Time after) {
    const Time end = cluster.calendar().next_end(after);
    return levels && after < bound ? std::min(end, levels->next_change(after)) : end;
  };
  const Time open = first_open(system);
  Time reopening = open > system.now() ? open : reopens(system.now());
  const auto reopen_before = [&](Time end) {
    for (; shadow_ == kNever && reopening < end; reopening = reopens(reopening)) look_at(system, reopening);
  };
  running_.each([&](const Running& each) {
    const Time end = std::max(each.expected_end, system.now());
    last = std::max(last, end);
    reopen_before(end);
    if (shadow_ != kNever && (end > shadow_ || !count_ties)) return false;
    come_back(cluster, each.job);
    if (shadow_ == kNever && end >= open) look_at(system, end);
    return true;
  });
  if (levels) bound = last + levels->period();
  reopen_before(kNever);
}

// The first instant from now on at which the calendar leaves enough nodes for the head: now, or the end of a closure.
// Computed once per head, and again when that instant has passed.
Time NodePromise::first_open(const System& system) {
  const Cluster& cluster = *system.cluster();
  if (!head_.calendar) return system.now();
  if (open_to_ == head_job_ && open_for_ == head_length_ && system.now() <= open_from_) return open_from_;
  Time instant = system.now();
  while (instant != kNever && !calendar_admits(cluster, instant)) instant = cluster.calendar().next_end(instant);
  open_to_ = head_job_;
  open_for_ = head_length_;
  return open_from_ = instant;
}

bool NodePromise::calendar_admits(const Cluster& cluster, Time instant) {
  Need alone = head_;
  cluster.set_time(alone, instant, instant + head_length_);
  if (!alone.calendar) return true;
  const Nodes& nodes = cluster.nodes();
  open_.resize(nodes.size());
  alone.calendar->mark_open(alone.from, alone.until, alone.owner, open_);
  std::int64_t units = 0;
  for (NodeId node = 0; node < nodes.size() && units < alone.units; ++node)
    if (open_[node]) units += head_units(nodes.capacity(node));
  return units >= alone.units;
}

// Sets the shadow if the head fits at this instant.
void NodePromise::look_at(const System& system, Time instant) {
  if (!totals_suffice()) return;
  begins_at(*system.cluster(), instant);
  if (head_fits(*system.cluster())) shadow_ = instant;
}

void NodePromise::begins_at(const Cluster& cluster, Time instant) {
  const Met before = head_.met;
  cluster.set_time(head_, instant, instant + head_length_);
  if (head_.met != before) counted_ = false;
}

void NodePromise::keep(const System& system, JobId head) {
  begin(system, head);
  begins_at(*system.cluster(), shadow_);
  running_.each([&](const Running& each) {
    if (std::max(each.expected_end, system.now()) <= shadow_) come_back(*system.cluster(), each.job);
    return each.expected_end <= shadow_;
  });
  count(*system.cluster());
  count_extra(*system.cluster());
}

// Starts a new promise: nothing is released yet.
void NodePromise::begin(const System& system, JobId head) {
  const Cluster& cluster = *system.cluster();
  const Nodes& nodes = cluster.nodes();
  head_ = cluster.need(head, system.job(head), system.now());
  head_length_ = system.job(head).length;
  head_job_ = head;
  ++round_;
  back_.resize(nodes.size() * nodes.resources());
  stamp_.resize(nodes.size());
  heads_on_.resize(nodes.size());
  amounts_.resize(nodes.resources());
  less_.resize(nodes.resources());
  touched_.clear();
  pools_back_.assign(cluster.pools(), 0);
  left_.resize(nodes.resources());
  for (std::size_t r = 0; r < left_.size(); ++r) left_[r] = nodes.total_free(r) - head_.unit[r] * head_.units;
  refusals_.resize(cluster.shapes());
  ++state_;
  counted_ = false;
  head_placed_ = false;
}

// Counts the units that fit at the shadow: on released nodes, and on the others now.
void NodePromise::count(const Cluster& cluster) {
  const Nodes& nodes = cluster.nodes();
  units_ = 0;
  counted_ = true;
  open_.resize(nodes.size());
  if (head_.calendar) head_.calendar->mark_open(head_.from, head_.until, head_.owner, open_);
  for (NodeId node = 0; (node = nodes.next_roomy(node, head_)) < nodes.size(); ++node)
    if (stamp_[node] != round_) units_ += head_units(nodes.free(node));
  for (const NodeId node : touched_)
    if (open(node)) units_ += head_units(at_shadow(cluster, node));
}

void NodePromise::come_back(const Cluster& cluster, JobId id) {
  const Unit unit = cluster.unit(id);
  each_node(cluster.placement(id), [&](NodeId node, Processors units) {
    if (cluster.nodes().closed(node)) return;
    const bool counts = counted_ && open(node);
    if (counts) units_ -= head_units(at_shadow(cluster, node));
    Amount* amounts = back(cluster, node);
    for (std::size_t r = 0; r < unit.size(); ++r) amounts[r] += unit[r] * units;
    for (std::size_t r = 0; r < unit.size(); ++r) left_[r] += unit[r] * units;
    if (counts) units_ += head_units(at_shadow(cluster, node));
  });
  for (const PoolUse& use : cluster.pools_of(id)) pools_back_[use.pool] += use.amount;
}

// The amounts released on a node by the shadow, to be changed.
Amount* NodePromise::back(const Cluster& cluster, NodeId node) {
  const std::size_t resources = cluster.nodes().resources();
  Amount* amounts = &back_[node * resources];
  if (stamp_[node] != round_) {
    stamp_[node] = round_;
    touched_.push_back(node);
    std::fill(amounts, amounts + resources, 0);
  }
  return amounts;
}

const Amount* NodePromise::at_shadow(const Cluster& cluster, NodeId node) const {
  const Amount* free = cluster.nodes().free(node);
  if (stamp_[node] != round_) return free;
  const std::size_t resources = cluster.nodes().resources();
  for (std::size_t r = 0; r < resources; ++r) amounts_[r] = free[r] + back_[node * resources + r];
  return amounts_.data();
}

bool NodePromise::head_fits(const Cluster& cluster) {
  PoolLevels* const levels = cluster.levels();
  for (const PoolUse& use : cluster.pools_of(head_job_))
    if (levels && use.pool == levels->pool() ? !levels->holds(head_job_, head_.from, kNoJob)
                                             : cluster.pool_free(use.pool) + pools_back_[use.pool] < use.amount)
      return false;
  if (!counted_) count(cluster);
  return units_ >= head_.units && (cluster.allocator().adds_up() || finds_nodes(cluster));
}

bool NodePromise::finds_nodes(const Cluster& cluster) {
  list_roomy(cluster);
  return cluster.allocator().choose(roomy_, head_, tried_);
}

// The nodes with room for the head at the shadow, in the order of the configuration.
void NodePromise::list_roomy(const Cluster& cluster) {
  const Nodes& nodes = cluster.nodes();
  roomy_.clear();
  sorted_ = touched_;
  std::sort(sorted_.begin(), sorted_.end());
  auto touched = sorted_.begin();
  NodeId roomy = nodes.next_roomy(0, head_);  // now
  for (;;) {
    const NodeId node = touched == sorted_.end() ? roomy : std::min(*touched, roomy);
    if (node >= nodes.size()) return;
    if (touched != sorted_.end() && *touched == node) ++touched;
    if (roomy == node) roomy = nodes.next_roomy(node + 1, head_);
    const Amount* free = at_shadow(cluster, node);
    const Processors units = head_units(free);
    if (units > 0 && open(node)) roomy_.push_back({node, units, cluster.allocator().rank(free, nodes.capacity(node))});
  }
}

// The first resource, minus the head's need, bounds every candidate that stays beyond the shadow.
void NodePromise::count_extra(const Cluster& cluster) { extra_ = cluster.in_processors(left_[0]); }

}  // namespace thinktime
