// Power and energy: each node is off, booting, idle, active or down, and draws the power of its state.
//
// An active node draws its own power and that of the units on it. Jobs are charged for the energy of active nodes: for
// their units, and for the node's own power in proportion to their units. Power is in whole milliwatts and sums are
// compensated, so that the energy of jobs, idling, booting and so on adds up to the total.
//
// A node that has been idle for a given time may be switched off. A job that is placed on it waits for the boot.
#include <array>
#include <optional>
#include <queue>
#include <utility>

#include "core/sum.h"
#include "plugins/power_cap.h"
#include "system/plugin.h"

namespace thinktime {
namespace {

enum class Power : std::uint8_t { off, boot, idle, active, down };
constexpr std::size_t kStates = 5;
constexpr std::array<const char*, kStates> kNames{"off", "boot", "idle", "active", "down"};
constexpr double kMilli = 1e-3;

class PowerAndEnergy : public Plugin {
 public:
  explicit PowerAndEnergy(const Plan& plan)
      : own_(copied(plan.indices("state_mw"))),
        unit_mw_(copied(plan.indices("unit_mw"))),
        boot_s_(copied(plan.times("boot_s", unit_mw_.size()))),
        off_after_s_(plan.options.number("off_after_s", kNever)),
        begin_s_(plan.options.number("begin_s", 0)),
        nodes_(unit_mw_.size()) {
    Plan::require(own_.size() == kStates * nodes_.size(), "state_mw", "has the wrong length");
    slowest_boot_ = boot_s_.empty() ? 0 : *std::max_element(boot_s_.begin(), boot_s_.end());
    if (plan.options.flag("capped", false)) take_cap(plan);
  }

  void begin(Control& control) override {
    if (!control.cluster() || control.cluster()->nodes().size() != nodes_.size())
      throw std::invalid_argument("power needs a cluster with one value per node");
    values_ = &control.cluster()->node_values();
    values_->watts.resize(nodes_.size());
    if (off_after_s_ != kNever) {
      values_->boot_s.resize(nodes_.size());
      values_->booted.resize(nodes_.size());
    }
    drawn_place_ = control.values().place("power_w");
    for (NodeId node = 0; node < nodes_.size(); ++node) {
      nodes_[node].since = begin_s_;
      total_[static_cast<std::size_t>(Power::idle)] += watts(node);
      publish(node);
      falls_idle(node, begin_s_);
    }
    if (cap_) {
      cap_place_ = control.values().place("power_budget_w");
      cap_->begin(control, begin_s_);
      if (cap_->changes()) {
        levels_.emplace(*this, control);
        control.cluster()->set_levels(&*levels_);
      }
      control.values().set(cap_place_, static_cast<double>(cap_->in_force()) * kMilli);
    }
    publish_drawn(control);
    look();
  }

  void loaded(std::span<const JobId> jobs, const Plan& numbers) override {
    const auto mw = numbers.indices("job_mw", jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (jobs[i] >= jobs_.size()) jobs_.resize(jobs[i] + 1);
      jobs_[jobs[i]].mw = mw[i];
      jobs_[jobs[i]].energy = {};
    }
  }

  void act(Control& control) override {
    const Time now = control.now();
    if (cap_ && cap_->next() == now) {
      cap_->follow(control, now);
      control.values().set(cap_place_, static_cast<double>(cap_->in_force()) * kMilli);
      control.changed();
    } else {
      const Event event = events_.top();
      events_.pop();
      happens(event);
    }
    look();
  }

  bool admits(Control& control, JobId id) override {
    return !cap_ || cap_->ever_holds(cap_->share(control, id), expected(control, id));
  }
  bool allows(Control& control, JobId id) override {
    if (!cap_ || !cap_->changes()) return true;
    return cap_->holds(control, cap_->share(control, id), control.now(), under_caps(control, id));
  }

  // Nodes that are off start to boot.
  Time delay(Control& control, JobId id) override {
    const Time now = control.now();
    Time until = now;
    each_node(control.cluster()->placement(id), [&](NodeId node, Processors) {
      Node& at = nodes_[node];
      if (at.state == Power::off) {
        at.booted = now + boot_s_[node];
        enter(node, Power::boot, now);
        events_.push({at.booted, node, at.turn, announced_++});
      }
      if (at.state == Power::boot) until = std::max(until, at.booted);
    });
    return until - now;
  }

  void started(Control& control, JobId id) override {
    const Time now = control.now();
    Meters& meters = jobs_[id].starts;
    meters.clear();
    if (cap_) cap_->running_changed();
    each_node(control.cluster()->placement(id), [&](NodeId node, Processors units) {
      Node& at = nodes_[node];
      advance(node, now);
      meters.push_back({node, at.share, at.active_s});
      change_units(node, units, units * job_w(id, node), now);
    });
    look();
  }

  void ended(Control& control, JobId id) override {
    const Time now = control.now();
    if (cap_) cap_->running_changed();
    const Meters starts = std::exchange(jobs_[id].starts, {});  // frees the memory, which a stream would keep by slot
    Meters::const_iterator meter = starts.begin();
    each_node(control.cluster()->placement(id), [&](NodeId node, Processors units) {
      meter = meter_of(node, meter, starts);
      leaves(id, *meter, units, now);
    });
    look();
  }

  // Units that were returned early are already charged.
  void shrunk(Control& control, const GivenBack& given) override {
    const Meters& starts = jobs_[given.job].starts;
    each_node(given.placement, [&](NodeId node, Processors units) {
      leaves(given.job, *meter_of(node, starts.begin(), starts), units, control.now());
    });
    look();
  }

  void closed(Control& control, NodeId node, bool broken) override {
    if (broken && nodes_[node].broken++ == 0) enter(node, Power::down, control.now());
  }
  void opened(Control& control, NodeId node, bool broken) override {
    Node& at = nodes_[node];
    if (!broken || --at.broken > 0) return;
    enter(node, at.units > 0 ? Power::active : Power::idle, control.now());
    if (at.units == 0) falls_idle(node, control.now());
    look();
  }

  // Jobs that ended at this instant draw no power.
  void before_pass(Control& control) override {
    if (changed_) publish_drawn(control);
  }

  // The trace: the power from now on, by state.
  void after_pass(Control& control) override {
    if (!changed_) return;
    changed_ = false;
    publish_drawn(control);
    const Time time = std::max(control.now(), begin_s_);  // nodes that break before the first submission are down then
    if (!trace_.empty() && trace_.back().time == time) {
      trace_.back().drawn = total_;
    } else {
      trace_.push_back({time, total_});
    }
  }

  void finish(Control& control) override {
    end_s_ = std::max(begin_s_, control.now());
    for (NodeId node = 0; node < nodes_.size(); ++node) advance(node, end_s_);
    // Charges running jobs up to now; undone if the run continues.
    for (JobEnergy& job : jobs_) job.running = 0;
    std::vector<JobId> running;
    control.system().running(running);
    for (const JobId id : running) charge_so_far(control, id);
  }

  void report(Report& report) const override {
    report_trace(report, trace_.size());
    for (NodeId node = 0; node < nodes_.size(); ++node) {
      report["node_energy/node"].push_back(node);
      for (std::size_t s = 0; s < kStates; ++s) {
        report[std::string("node_energy/") + kNames[s] + "_j"].push_back(nodes_[node].energy[s].value() * kMilli);
        report[std::string("node_energy/") + kNames[s] + "_s"].push_back(nodes_[node].time[s].value());
      }
    }
    for (JobId id = 0; !taken_ && id < jobs_.size(); ++id) report_job(report, id);
  }

  // The last moment of the trace stays, because it may still change.
  void take(Report& report, std::span<const JobId> over, bool all) override {
    taken_ = true;
    const std::size_t moments = all || trace_.empty() ? trace_.size() : trace_.size() - 1;
    report_trace(report, moments);
    trace_.erase(trace_.begin(), trace_.begin() + static_cast<std::ptrdiff_t>(moments));
    for (const JobId id : over) report_job(report, id);
  }

 private:
  struct Node {
    Power state = Power::idle;
    std::uint32_t turn = 0;    // number of state changes; events of an earlier turn are void
    std::uint32_t broken = 0;  // current failures
    Time since = 0;            // energy is counted up to this time
    Time booted = 0;           // end of the boot
    std::int64_t units = 0;    // of jobs
    Amount units_mw = 0;       // their power
    std::array<Sum, kStates> energy, time;
    Sum share;  // the node's own energy charged per unit so far
    Sum active_s;
  };
  struct Event {  // the end of a boot, or of the idle time before switching off
    Time time;
    NodeId node;
    std::uint32_t turn;
    std::uint64_t sequence;
    bool operator>(const Event& other) const {
      return time > other.time || (time == other.time && sequence > other.sequence);
    }
  };
  struct Meter {  // readings of a node when a job began there
    NodeId node;
    Sum share, active_s;
  };
  using Meters = std::vector<Meter>;  // in the order of the job's nodes
  struct Moment {
    Time time;
    std::array<Amount, kStates> drawn;
  };
  struct JobEnergy {
    Amount mw = -1;      // power per unit of this job, -1 to use unit_mw_
    Sum energy;          // over all attempts
    double running = 0;  // of the current attempt, if the run has stopped
    Meters starts;
  };

  void report_trace(Report& report, std::size_t moments) const {
    if (moments == 0) return;
    std::vector<double>& times = report["power/time_s"];
    for (std::size_t k = 0; k < moments; ++k) times.push_back(trace_[k].time);
    for (std::size_t s = 0; s < kStates; ++s) {
      std::vector<double>& watts = report[std::string("power/") + kNames[s] + "_w"];
      for (std::size_t k = 0; k < moments; ++k) watts.push_back(static_cast<double>(trace_[k].drawn[s]) * kMilli);
    }
  }
  void report_job(Report& report, JobId id) const {
    report["job_energy/slot"].push_back(id);
    report["job_energy/energy_j"].push_back((jobs_[id].energy.value() + jobs_[id].running) * kMilli);
  }

  void take_cap(const Plan& plan) {
    cap_.emplace(static_cast<std::uint32_t>(plan.options.number("pool", 0)), copied(plan.times("cap_from_s")),
                 copied(plan.indices("cap_mw")), plan.options.number("cap_every_s", 0),
                 plan.options.number("cap_origin_s", 0));
  }

  // The future levels of the cap, for promises.
  class Levels : public PoolLevels {
   public:
    Levels(PowerAndEnergy& power, Control& control)
        : PoolLevels(power.cap_->pool()), power_(power), control_(control) {}
    bool holds(JobId id, Time from, JobId other) override {
      PowerCap& cap = *power_.cap_;
      const Amount share = cap.share(control_, id), others = other == kNoJob ? 0 : cap.share(control_, other);
      const Time until = other == kNoJob ? -kNever : control_.now() + control_.system().job(other).length;
      return cap.holds_at(control_, share, from, others, until) &&
             cap.holds(control_, share, from, power_.under_caps(control_, id), others, until);
    }
    Time next_change(Time after) const override { return power_.cap_->next_change(after); }
    Time period() const override { return power_.cap_->period(); }

   private:
    PowerAndEnergy& power_;
    Control& control_;
  };

  // The time for which a job must fit: 0 for a requeued job, which may run longer than when it was admitted.
  Time under_caps(Control& control, JobId id) const { return control.runs_before(id) > 0 ? 0 : expected(control, id); }

  Time expected(Control& control, JobId id) const {
    const bool may_boot = off_after_s_ != kNever;
    return control.system().job(id).length + (may_boot ? slowest_boot_ : 0);
  }

  Amount job_w(JobId id, NodeId node) const { return jobs_[id].mw >= 0 ? jobs_[id].mw : unit_mw_[node]; }
  Amount watts(NodeId node) const {
    const Node& at = nodes_[node];
    const Amount own = own_[kStates * node + static_cast<std::size_t>(at.state)];
    return at.state == Power::active ? own + at.units_mw : own;
  }

  // Adds the energy up to now.
  void advance(NodeId node, Time now) {
    Node& at = nodes_[node];
    const Time passed = now - at.since;
    if (!(passed > 0)) return;
    const auto state = static_cast<std::size_t>(at.state);
    at.energy[state].add(static_cast<double>(watts(node)) * passed);
    at.time[state].add(passed);
    if (at.state == Power::active) {
      at.share.add(static_cast<double>(own_[kStates * node + state]) * passed / static_cast<double>(at.units));
      at.active_s.add(passed);
    }
    at.since = now;
  }

  // Searches from `from` on; a job that returns nodes keeps the others in order.
  static Meters::const_iterator meter_of(NodeId node, Meters::const_iterator from, const Meters& meters) {
    return std::find_if(from, meters.end(), [&](const Meter& each) { return each.node == node; });
  }

  // Charges a job for units that leave the node.
  void leaves(JobId id, const Meter& meter, Processors units, Time now) {
    const Node& at = nodes_[meter.node];
    advance(meter.node, now);
    const Amount mine = units * job_w(id, meter.node);
    jobs_[id].energy.add(units * at.share.since(meter.share));
    jobs_[id].energy.add(static_cast<double>(mine) * at.active_s.since(meter.active_s));
    change_units(meter.node, -units, -mine, now);
  }

  template <class Change>
  void with_change(NodeId node, Time now, Change change) {
    advance(node, now);
    total_[static_cast<std::size_t>(nodes_[node].state)] -= watts(node);
    change(nodes_[node]);
    total_[static_cast<std::size_t>(nodes_[node].state)] += watts(node);
    publish(node);
  }

  void enter(NodeId node, Power state, Time now) {
    with_change(node, now, [&](Node& at) {
      if (at.state != state) ++at.turn;
      at.state = state;
    });
  }

  void change_units(NodeId node, Processors units, Amount mw, Time now) {
    bool idle = false;
    with_change(node, now, [&](Node& at) {
      const Power before = at.state;
      at.units += units;
      at.units_mw += mw;
      if (at.state == Power::idle && at.units > 0) at.state = Power::active;
      if (at.state == Power::active && at.units == 0) at.state = Power::idle;
      if (at.state != before) ++at.turn;
      idle = at.state == Power::idle;
    });
    if (idle) falls_idle(node, now);
  }

  void falls_idle(NodeId node, Time now) {
    if (off_after_s_ != kNever) events_.push({now + off_after_s_, node, nodes_[node].turn, announced_++});
  }

  void happens(const Event& event) {
    Node& at = nodes_[event.node];
    if (event.turn != at.turn) return;
    if (at.state == Power::idle) return enter(event.node, Power::off, event.time);
    if (at.state != Power::boot) return;
    enter(event.node, at.units > 0 ? Power::active : Power::idle, event.time);
    if (at.units == 0) falls_idle(event.node, event.time);  // the job that needed it was aborted
  }

  void publish(NodeId node) {
    changed_ = true;
    values_->watts[node] = static_cast<double>(watts(node)) * kMilli;
    if (!values_->boot_s.empty()) {
      values_->boot_s[node] = nodes_[node].state == Power::off ? boot_s_[node] : 0;
      values_->booted[node] = nodes_[node].state == Power::boot ? nodes_[node].booted : -kNever;
    }
    if (values_->watched) values_->changed.push_back(node);
  }

  void publish_drawn(Control& control) {
    Amount all = 0;
    for (const Amount drawn : total_) all += drawn;
    control.values().set(drawn_place_, static_cast<double>(all) * kMilli);
  }

  // Skips void events.
  void look() {
    while (!events_.empty() && events_.top().turn != nodes_[events_.top().node].turn) events_.pop();
    next_ = std::min(events_.empty() ? kNever : events_.top().time, cap_ ? cap_->next() : kNever);
  }

  void charge_so_far(Control& control, JobId id) {
    const Meters& starts = jobs_[id].starts;
    Meters::const_iterator meter = starts.begin();
    Sum sum;
    each_node(control.cluster()->placement(id), [&](NodeId node, Processors units) {
      meter = meter_of(node, meter, starts);
      sum.add(units * nodes_[node].share.since(meter->share));
      sum.add(static_cast<double>(units * job_w(id, node)) * nodes_[node].active_s.since(meter->active_s));
    });
    jobs_[id].running = sum.value();
  }

  std::vector<Amount> own_;      // [node * states + state]: power of the node itself
  std::vector<Amount> unit_mw_;  // by node: power per unit
  std::vector<Time> boot_s_;
  Time off_after_s_, begin_s_, end_s_ = 0, slowest_boot_ = 0;
  std::vector<Node> nodes_;
  std::vector<JobEnergy> jobs_;  // by slot
  bool taken_ = false;           // the energy of jobs is taken when they are over
  std::array<Amount, kStates> total_{};
  std::vector<Moment> trace_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t announced_ = 0;
  bool changed_ = false;
  NodeValues* values_ = nullptr;
  std::optional<PowerCap> cap_;
  std::optional<Levels> levels_;  // if the cap changes
  std::size_t drawn_place_ = 0, cap_place_ = 0;
};

const RegisterPlugin power{"power", [](const Plan& plan) { return std::make_unique<PowerAndEnergy>(plan); }};

}  // namespace
}  // namespace thinktime
