// EASY's promise on a cluster: at the shadow time, the head finds nodes.
//
// The running jobs release their nodes in order of their expected ends, until the allocator could place the head. Only
// the released amounts are stored, by node; at the shadow, these and what is free now are free. A candidate that does
// not end by the shadow must leave nodes for the head: first the allocator's choice is tried, then what is free now
// outside the nodes that the head would get.
//
// If an allocator needs only enough units in total, the units are counted as nodes are released, from the instant at
// which the totals suffice. Otherwise the head is placed again at every possible shadow. With a calendar, only nodes
// that are open to the head count; they are recounted when the head would meet other closures.
#pragma once
#include <vector>

#include "core/blocked_list.h"
#include "schedulers/waiting_list.h"

namespace thinktime {

class NodePromise {
 public:
  // Whether candidates that were refused need no second try. A refused job may find other nodes once a job has started,
  // once its end lies beyond the begin of a closure, or if the allocator depends on the time.
  bool refusals_stand(const System& system) const {
    return none_started_ && system.cluster()->allocator().steady() && none_meets_a_change(system);
  }
  void submitted(const System& system, JobId id) { longest_ = std::max(longest_, system.job(id).length); }
  void all_tried_from_now_on() { none_started_ = true; }

  void started(const System& system, JobId id) {
    running_.insert(running(system, id));
    none_started_ = false;
    ++state_;
  }
  void ended(const System& system, JobId id) { running_.erase(running(system, id)); }
  void shrunk(const System&, const GivenBack&) { ++state_; }  // placements are read when needed

  void make(const System& system, JobId head, bool count_ties);
  void keep(const System& system, JobId head);  // keeps the shadow, recomputes what is free then

  Time shadow() const { return shadow_; }
  Gap gap(const System& system) const {
    const Cluster& cluster = *system.cluster();
    return {system.now(), shadow_, system.free(), extra_,
            cluster.calendar().open_until(system.now(), cluster.nodes().size())};
  }

  // Whether a job that the gap admits finds nodes; the system starts it on these.
  bool admit(System& system, JobId id);

 private:
  struct Running {
    Time expected_end;
    std::uint32_t sequence;  // start order
    JobId job;               // kNoJob once ended

    bool before(const Running& other) const {
      return expected_end < other.expected_end || (expected_end == other.expected_end && sequence < other.sequence);
    }
    void kill() { job = kNoJob; }
    bool dead() const { return job == kNoJob; }
  };
  struct Nothing {
    void add(const Running&) {}
    void add(const Nothing&) {}
    bool remove(const Running&) const { return false; }
  };
  static Running running(const System& system, JobId id) {
    return {system.job(id).expected_end(), system.job(id).sequence, id};
  }

  // Whether no waiting job that starts now meets a change of the calendar; a boot would delay its end.
  bool none_meets_a_change(const System& system) const {
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
  // By the calendar alone: the head finds no nodes before this instant.
  Time open_from_ = -kNever;
  JobId open_to_ = kNoJob;  // the head for which open_from_ was computed
  Time open_for_ = 0;       // its length
  JobId head_job_ = kNoJob;
  Time shadow_ = kNever;
  Processors extra_ = 0;    // upper bound on the processors of a candidate that stays beyond the shadow
  std::int64_t units_ = 0;  // units of the head that fit at the shadow, at most its need per node
  bool counted_ = false;    // units_ is up to date
  std::vector<char> open_;  // by node: open to the head; used with a calendar
  // Amounts released by the shadow, [node * resources + resource]; valid if stamp_[node] == round_.
  std::vector<Amount> back_;
  std::vector<std::uint64_t> stamp_;
  std::uint64_t round_ = 0;
  std::vector<NodeId> touched_;  // the nodes of this round
  std::vector<Amount> pools_back_;
  std::vector<Amount> left_;  // by resource: free on all nodes at the shadow, minus the head's need
  // A refusal of `units` units of a shape because of the head. It also holds for more units with the same closures,
  // until a job starts or the promise changes.
  struct Refusal {
    std::uint64_t state = 0;
    Processors units = 0;
    Met met;
    Owner owner = kNoOwner;
  };
  std::vector<Refusal> refusals_;  // by shape
  std::uint64_t state_ = 1;        // changes with the promise and with the running jobs
  bool none_started_ = false;      // since all waiting jobs were last tried
  Time longest_ = 0;               // length of any job that ever waited
  // The nodes that the head would get at the shadow (empty if it finds none), and its units by node.
  Placement heads_;
  std::vector<Processors> heads_on_;
  bool head_placed_ = false;  // heads_ is up to date
  Time answered_ = kNever;    // when refusals_ and heads_ were last used
  // Scratch memory.
  mutable std::vector<Amount> amounts_, less_;
  std::vector<Roomy> roomy_;
  std::vector<NodeId> sorted_;
  Placement tried_;
};

}  // namespace thinktime
