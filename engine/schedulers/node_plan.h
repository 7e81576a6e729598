// The plan of a cluster: what is free on every node over time, if every job keeps to it. For Conservative on nodes.
//
// Each node has its steps, and the cluster the instants of planned ends: only then can a job find new room. The totals
// over all nodes show quickly where a search is useless.
#pragma once
#include <set>
#include <vector>

#include "platform/cluster.h"
#include "platform/profile.h"

namespace thinktime {

// A job holds these nodes, and its pools, from `from` until `to`.
struct Booking {
  Time from = kNever;
  Time to = kNever;
  Placement placement;
};

class NodePlan {
 public:
  explicit NodePlan(const Cluster& cluster);

  void advance(Time now);
  void take(const Cluster& cluster, JobId id, const Booking& booking) { change(cluster, id, booking, -1); }
  void give(const Cluster& cluster, JobId id, const Booking& booking) { change(cluster, id, booking, 1); }

  // A running job releases some of its nodes, which were booked until `booking.to`; it keeps its pools.
  void give_nodes(const Cluster& cluster, JobId id, const Booking& booking);

  // The earliest start in [now, before) at which the allocator finds nodes for the whole length; false if none.
  bool earliest(const Cluster& cluster, JobId id, const Job& job, Time now, Time before, Booking& booking);

 private:
  // Amounts over time: step k begins at at[k]; amounts[k * width ...] are free from then on.
  struct Steps {
    std::vector<Time> at;
    std::vector<Amount> amounts;
  };

  std::size_t cut(Steps& steps, std::size_t width, Time time);
  void add(Steps& steps, std::size_t width, Time from, Time to, const Amount* change);
  void least(const Steps& steps, std::size_t width, Time from, Time to, Amount* amounts) const;
  Time next_chance(const Cluster& cluster, Time after) const;
  bool fits_at(const Cluster& cluster, JobId id, Need need, Time from, Time length, Booking& booking);
  bool choose(const Cluster& cluster, const Need& need, Time from, Time length, Placement& placement);
  void change(const Cluster& cluster, JobId id, const Booking& booking, int sign);
  void change_nodes(const Cluster& cluster, JobId id, const Booking& booking, Time from, int sign);

  std::size_t resources_;
  Time now_ = -kNever;
  std::vector<Steps> nodes_;
  Steps pools_;
  Steps totals_;              // by resource, over all nodes
  std::multiset<Time> ends_;  // planned ends from now on
  std::vector<Amount> scratch_;
  std::vector<Roomy> roomy_;
};

}  // namespace thinktime
