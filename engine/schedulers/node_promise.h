// EASY's promise on a cluster: at the shadow, the head will find nodes.
//
// The running jobs give their nodes back in order of their expected ends, until the allocator could place the head. Kept
// is only what comes back, node by node; what is free at the shadow is that and what is free now. A candidate that is
// not over by then must leave the head its nodes: first the allocator's own choice is tried, then what is free now and
// not among the nodes that the head would get.
//
// Where an allocator asks only that enough units fit, these are counted as nodes come back, from the instant on at
// which the totals suffice. Otherwise the head is placed anew at every instant that may be the shadow. A calendar that
// closes nodes for a while says which nodes count: they are counted anew when the head would meet other closures.
#pragma once
#include <vector>

#include "core/blocked_list.h"
#include "schedulers/waiting_list.h"

namespace thinktime {

class NodePromise {
 public:
  // Who was refused may find other nodes once others have started, or when his end comes to lie beyond the beginning of
  // a closure, or where the allocator goes by the time.
  bool refusals_stand(const System& system) const {
    return nobody_started_ && system.cluster()->allocator().steady() && nobody_meets_a_change(system);
  }
  void submitted(const System& system, JobId id) { longest_ = std::max(longest_, system.job(id).length); }
  void all_tried_from_now_on() { nobody_started_ = true; }

  void started(const System& system, JobId id) {
    running_.insert(running(system, id));
    nobody_started_ = false;
    ++state_;
  }
  void ended(const System& system, JobId id) { running_.erase(running(system, id)); }
  void shrunk(const System&, const GivenBack&) { ++state_; }  // where a job is, is looked up

  void make(const System& system, JobId head, bool count_ties);
  void keep(const System& system, JobId head);  // the shadow stays, what is free then is seen anew

  Time shadow() const { return shadow_; }
  Gap gap(const System& system) const {
    const Cluster& cluster = *system.cluster();
    return {system.now(), shadow_, system.free(), extra_,
            cluster.calendar().open_until(system.now(), cluster.nodes().size())};
  }

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

  // Of the calendar, if he starts now; a boot would make him later.
  bool nobody_meets_a_change(const System& system) const {
    const Time change = system.cluster()->calendar().next_change(system.now());
    return change == kNever || (system.now() + longest_ <= change && system.cluster()->nodes().values().boot_s.empty());
  }
  void begin(const System& system, JobId head);
  void forget_old_answers(const System& system);
  void look_at(const System& system, Time instant);
  Time first_open(const System& system);
  bool calendar_admits(const Cluster& cluster, Time instant);
  void begins_at(const Cluster& cluster, Time instant);
  void until_it_fits(const System& system, bool count_ties);
  void come_back(const Cluster& cluster, JobId id);
  void takes_and_gives_back(const Cluster& cluster, JobId id, const Placement& placement);
  void add_back(const Cluster& cluster, JobId id, const Placement& placement, Processors sign);
  bool totals_suffice() const { return std::ranges::min(left_) >= 0; }
  bool open(NodeId node) const { return !head_.calendar || open_[node]; }
  void count(const Cluster& cluster);
  bool head_fits(const Cluster& cluster);
  bool finds_nodes(const Cluster& cluster);
  bool totals_leave(const Need& need) const;
  bool refused_before(const Cluster& cluster, JobId id, const Need& need);
  void stays_beyond(Cluster& cluster, JobId id, const Need& need);
  bool head_fits_beside(const Cluster& cluster, JobId id, const Placement& placement);
  bool on_other_nodes(Cluster& cluster, Need& need, Time length);
  bool choose_beside_head(Cluster& cluster, const Need& need);
  bool place_head(const Cluster& cluster);
  bool pools_leave(const Cluster& cluster, JobId id) const;
  std::int64_t lost_to(const Cluster& cluster, JobId id, const Placement& placement) const;
  Processors head_units(const Amount* free) const { return units_in(free, head_.unit, head_.units); }
  const Amount* at_shadow(const Cluster& cluster, NodeId node) const;
  Amount* back(const Cluster& cluster, NodeId node);
  void list_roomy(const Cluster& cluster);
  void count_extra(const Cluster& cluster);

  BlockedList<Running, Nothing> running_;
  Need head_{};  // at the shadow
  Time head_length_ = 0;
  // By the calendar alone: before this instant the head finds no nodes, whoever runs.
  Time open_from_ = -kNever;
  JobId open_to_ = kNobody;  // the head for which that was found,
  Time open_for_ = 0;        // and its length
  JobId head_job_ = kNobody;
  Time shadow_ = kNever;
  Processors extra_ = 0;    // an upper bound on what a candidate can have beyond the shadow
  std::int64_t units_ = 0;  // of the head that fit at the shadow, counting at most its need on each node,
  bool counted_ = false;    // if they have been counted on the nodes that are open to it
  std::vector<char> open_;  // by node, whether it is; if the calendar has a say
  // What comes back by the shadow, [node * resources + resource], if stamp_[node] is the present round.
  std::vector<Amount> back_;
  std::vector<std::uint64_t> stamp_;
  std::uint64_t round_ = 0;
  std::vector<NodeId> touched_;  // the nodes of this round
  std::vector<Amount> pools_back_;
  std::vector<Amount> left_;  // of each resource on all nodes at the shadow, beside the head
  // A shape of which so many units were refused for the head's sake: as long as nobody starts and the promise is the
  // same, as many or more are too that may use the same nodes.
  struct Refusal {
    std::uint64_t state = 0;
    Processors units = 0;
    Met met;
    Owner owner = kNoOwner;
  };
  std::vector<Refusal> refusals_;  // by shape
  std::uint64_t state_ = 1;        // of the promise and of who runs
  bool nobody_started_ = false;    // since all that wait began to be tried
  Time longest_ = 0;               // of all jobs that ever waited
  // The nodes that the head would get at the shadow, none if it would not find any, and its units by node.
  Placement heads_;
  std::vector<Processors> heads_on_;
  bool head_placed_ = false;  // they are known, for what is free at the shadow
  Time answered_ = kNever;    // when refusals and the head's nodes were last in use
  // Kept for their memory: amounts on a node, lists of nodes, nodes that are not asked for.
  mutable std::vector<Amount> amounts_, less_;
  std::vector<Roomy> roomy_;
  std::vector<NodeId> sorted_;
  Placement tried_;
};

}  // namespace thinktime
