// EASY's promise on a cluster: at the shadow, the head will find nodes.
//
// The running jobs give their nodes back in order of their expected ends, until the allocator could place the head. Kept
// is only what comes back, node by node; what is free at the shadow is that and what is free now. A candidate that is
// not over by then must leave the head its nodes: first the allocator's own choice is tried, then what is free now and
// not among the nodes that the head would get.
//
// Where an allocator asks only that enough units fit, these are counted as nodes come back. Otherwise, and where a
// calendar closes nodes for a while, the head is placed anew at every instant that may be the shadow.
#pragma once
#include <vector>

#include "core/blocked_list.h"
#include "schedulers/waiting_list.h"

namespace thinktime {

class NodePromise {
 public:
  // The gap counts processors, which is necessary only; and whoever was refused may find other nodes later.
  static constexpr bool kExact = false;

  void started(const System& system, JobId id) {
    running_.insert(running(system, id));
    ++state_;
  }
  void ended(const System& system, JobId id) { running_.erase(running(system, id)); }
  void shrunk(const System&, const GivenBack&) { ++state_; }  // where a job is, is looked up

  void make(const System& system, JobId head, bool count_ties);
  void keep(const System& system, JobId head);  // the shadow stays, what is free then is seen anew

  Time shadow() const { return shadow_; }
  Gap gap(const System& system) const { return {system.now(), shadow_, system.free(), extra_}; }

  // Whether the job, which the gap admits, finds nodes; the system starts it on these.
  bool admit(System& system, JobId id);

 private:
  struct Running {
    Time expected_end;
    std::uint32_t sequence;  // start order
    JobId job;               // kNobody once it has ended

    bool before(const Running& other) const {
      return expected_end < other.expected_end || (expected_end == other.expected_end && sequence < other.sequence);
    }
    void kill() { job = kNobody; }
    bool dead() const { return job == kNobody; }
  };
  struct Nothing {
    void add(const Running&) {}
    void add(const Nothing&) {}
    bool remove(const Running&) const { return false; }
  };
  static Running running(const System& system, JobId id) {
    return {system.job(id).expected_end(), system.job(id).sequence, id};
  }

  void begin(const System& system, JobId head);
  void look_at(const System& system, Time instant);
  void begins_at(const Cluster& cluster, Time instant);
  void until_it_fits(const System& system, bool count_ties);
  void come_back(const Cluster& cluster, JobId id);
  void takes_and_gives_back(const Cluster& cluster, JobId id, const Placement& placement);
  void add_back(const Cluster& cluster, JobId id, const Placement& placement, Processors sign);
  bool head_fits(const Cluster& cluster) const;
  bool counts(const Cluster& cluster) const { return cluster.allocator().adds_up() && !head_.calendar; }
  bool totals_leave(const Need& need) const;
  bool refused_before(const Cluster& cluster, JobId id, const Need& need);
  bool head_fits_beside(const Cluster& cluster, JobId id, const Placement& placement);
  bool on_other_nodes(Cluster& cluster, JobId id, const Need& need);
  bool pools_leave(const Cluster& cluster, JobId id) const;
  std::int64_t lost_to(const Cluster& cluster, JobId id, const Placement& placement) const;
  Processors head_units(const Amount* free) const { return units_in(free, head_.unit, head_.units); }
  const Amount* at_shadow(const Cluster& cluster, NodeId node) const;
  Amount* back(const Cluster& cluster, NodeId node);
  void list_roomy(const Cluster& cluster) const;
  void count_extra(const Cluster& cluster);

  BlockedList<Running, Nothing> running_;
  Need head_{};                   // at the shadow
  Time head_length_ = 0;
  const std::vector<PoolUse>* head_pools_ = nullptr;
  Time shadow_ = kNever;
  Processors extra_ = 0;          // an upper bound on what a candidate can have beyond the shadow
  std::int64_t units_ = 0;        // of the head that fit at the shadow, counting at most its need on each node
  // What comes back by the shadow, [node * resources + resource], if stamp_[node] is the present round.
  std::vector<Amount> back_;
  std::vector<std::uint64_t> stamp_;
  std::uint64_t round_ = 0;
  std::vector<NodeId> touched_;   // the nodes of this round
  std::vector<Amount> pools_back_;
  std::vector<Amount> left_;      // of each resource on all nodes at the shadow, beside the head
  // A shape of which so many units were refused for the head's sake: as long as nobody starts and the promise is the
  // same, as many or more are too.
  struct Refusal {
    std::uint64_t state = 0;
    Processors units = 0;
  };
  std::vector<Refusal> refusals_;  // by shape
  std::uint64_t state_ = 1;        // of the promise and of who runs
  // Kept for their memory: amounts on a node, lists of nodes, the head's nodes.
  mutable std::vector<Amount> amounts_, less_;
  std::vector<Processors> heads_on_;
  mutable std::vector<Roomy> roomy_;
  mutable std::vector<NodeId> sorted_;
  mutable Placement heads_;
};

}  // namespace thinktime
