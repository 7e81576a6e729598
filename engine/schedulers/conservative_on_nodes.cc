#include "schedulers/conservative_on_nodes.h"

#include <algorithm>

#include "schedulers/node_plan.h"

namespace thinktime {
namespace {

class Planner : public Scheduler {
 public:
  // Appends it, unless it was requeued.
  void submitted(const System& system, JobId job) override {
    auto at = waiting_.end();
    while (at != waiting_.begin() && system.job((at - 1)->job).sequence > system.job(job).sequence) --at;
    waiting_.insert(at, {job, {}});
  }
  void waiting(const System&, std::vector<JobId>& jobs) const override {
    for (const Planned& planned : waiting_) jobs.push_back(planned.job);
  }

 protected:
  struct Planned {
    JobId job;
    Booking booking;  // booking.from == kNever: not placed
  };

  NodePlan& plan(const System& system) {
    if (!plan_) plan_ = std::make_unique<NodePlan>(*system.cluster());
    return *plan_;
  }

  void place(const System& system, Planned& planned) {
    const Cluster& cluster = *system.cluster();
    if (plan_->earliest(cluster, planned.job, system.job(planned.job), system.now(), kNever, planned.booking)) {
      plan_->take(cluster, planned.job, planned.booking);
    } else {
      planned.booking = {};  // while nodes are broken it may fit nowhere
    }
  }

  // Starts the jobs whose slot is due if their nodes are free; calls started(planned) for each. Returns the earliest
  // slot to come. A late job, or one whose nodes must boot, may meet a closure; then it cannot use its slot.
  template <class Started>
  Time start_due(System& system, Started started) {
    Time next = kNever;
    std::size_t kept = 0;
    for (Planned& planned : waiting_) {
      if (planned.booking.from <= system.now() && system.cluster()->is_free(planned.job, planned.booking.placement) &&
          !meets_closure(system, planned) && system.allowed(planned.job)) {
        const Time booked = planned.booking.from + system.job(planned.job).length;
        system.cluster()->found() = planned.booking.placement;
        system.start(planned.job);
        const Time end = system.job(planned.job).expected_end();
        if (end > system.now() && end != booked) off_plan_ = true;  // a zero-length job holds nothing in the plan
        started(planned);
      } else {
        if (planned.booking.from > system.now()) next = std::min(next, planned.booking.from);
        if (&planned != &waiting_[kept]) waiting_[kept] = std::move(planned);
        ++kept;
      }
    }
    waiting_.resize(kept);
    return next;
  }

  bool meets_closure(const System& system, const Planned& planned) {
    const bool meets =
        system.cluster()->meets_closure(planned.job, system.job(planned.job), planned.booking.placement, system.now());
    slot_in_vain_ = slot_in_vain_ || meets;
    return meets;
  }

  std::unique_ptr<NodePlan> plan_;  // running and waiting jobs, by expected times
  std::vector<Planned> waiting_;    // in the order of joining
  bool slot_in_vain_ = false;       // a job cannot use its slot
  bool off_plan_ = false;           // a job started later than planned or was delayed: the plan is wrong
};

class Conservative : public Planner {
 public:
  explicit Conservative(bool compress) : compress_(compress) {}

  void ended(const System& system, JobId id) override {
    const Job& job = system.job(id);
    plan(system).give(*system.cluster(), id, {system.now(), job.expected_end(), system.cluster()->placement(id)});
    something_ended_ = true;
  }

  void shrunk(const System& system, const GivenBack& given) override {
    const Time until = system.job(given.job).expected_end();
    plan(system).give_nodes(*system.cluster(), given.job, {system.now(), until, given.placement});
    something_ended_ = true;
  }

  void changed(const System&) override { something_changed_ = true; }

  void pass(System& system) override {
    if (something_changed_ || off_plan_) start_over(system);
    plan(system).advance(system.now());
    if (something_ended_ && compress_) compress(system);
    something_ended_ = false;
    place_and_start(system);
    if (!slot_in_vain_) return;
    start_over(system);
    place_and_start(system);
    slot_in_vain_ = false;
  }

 private:
  void place_and_start(System& system) {
    for (; placed_ < waiting_.size(); ++placed_) place(system, waiting_[placed_]);
    wake_ = start_due(system, [](const Planned&) {});
    placed_ = waiting_.size();
  }

  // Nodes were opened or closed: places all jobs again.
  void start_over(const System& system) {
    something_changed_ = something_ended_ = off_plan_ = false;
    placed_ = 0;
    plan_ = std::make_unique<NodePlan>(*system.cluster());
    plan_->advance(system.now());
    std::vector<JobId> running;
    system.running(running);
    for (const JobId id : running)
      plan_->take(*system.cluster(), id,
                  {system.now(), system.job(id).expected_end(), system.cluster()->placement(id)});
  }

  void compress(const System& system) {
    for (std::size_t i = 0; i < placed_; ++i) move_forward(system, waiting_[i]);
  }

  // Only a zero-length job, which holds no nodes in the plan, may have to move to a later slot.
  void move_forward(const System& system, Planned& planned) {
    const Cluster& cluster = *system.cluster();
    const Job& job = system.job(planned.job);
    const Time before = job.length > 0 ? planned.booking.from : kNever;
    plan_->give(cluster, planned.job, planned.booking);
    if (plan_->earliest(cluster, planned.job, job, system.now(), before, moved_)) std::swap(planned.booking, moved_);
    plan_->take(cluster, planned.job, planned.booking);
  }

  bool compress_;
  std::size_t placed_ = 0;  // waiting_[0, placed_) have a booking
  bool something_ended_ = false;
  bool something_changed_ = false;
  Booking moved_;
};

// With extend-blind, a plan is valid until the next event only, so no extra pass is planned.
class PlannedAnew : public Planner {
 public:
  void ended(const System&, JobId id) override { std::erase(running_, id); }

  void pass(System& system) override {
    plan_ = std::make_unique<NodePlan>(*system.cluster());
    plan_->advance(system.now());
    for (const JobId id : running_)  // no effect if the expected end has passed
      plan_->take(*system.cluster(), id,
                  {system.now(), system.job(id).expected_end(), system.cluster()->placement(id)});
    for (Planned& planned : waiting_) place(system, planned);
    start_due(system, [&](const Planned& planned) { running_.push_back(planned.job); });
  }

 private:
  std::vector<JobId> running_;
};

}  // namespace

std::unique_ptr<Scheduler> make_conservative_on_nodes(const Options& options) {
  if (options.text("overrun", "extend") == "extend-blind") return std::make_unique<PlannedAnew>();
  return std::make_unique<Conservative>(options.flag("compress", true));
}

}  // namespace thinktime
