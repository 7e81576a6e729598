// Conservative backfilling: every job gets a slot when it is submitted, the earliest that delays nobody.
// Feitelson and Weil 1998; Mu'alem and Feitelson 2001.
//
// When a job ends, each waiting job in turn is taken out of the plan and put back at its earliest slot
// (compress). A job starts when its slot has come. Where overruns are not foreseen (extend-blind) the plan is
// made anew at each pass, because the running jobs' expected ends move with the clock.
#include <algorithm>

#include "platform/profile.h"
#include "schedulers/conservative_on_nodes.h"
#include "schedulers/scheduler.h"

namespace thinktime {
namespace {

// What both variants do: keep the queue in the order of joining, and start whoever's slot has come.
class Planner : public Scheduler {
 public:
  void submitted(const System&, JobId job) override { waiting_.push_back({job, kNever}); }
  void waiting(const System&, std::vector<JobId>& jobs) const override {
    for (const Planned& planned : waiting_) jobs.push_back(planned.job);
  }

 protected:
  struct Planned {
    JobId job;
    Time slot;  // kNever: not yet placed
  };

  Profile& plan(const System& system) {
    if (!plan_) plan_ = std::make_unique<Profile>(system.processors());
    return *plan_;
  }

  void place(const System& system, Planned& planned) {
    const Job& job = system.job(planned.job);
    planned.slot = plan_->earliest(system.now(), job.length, job.processors);
    plan_->take(planned.slot, planned.slot + job.length, job.processors);
  }

  // Starts whose slot has come, if it really fits; started(job) for each. Returns the earliest slot to come.
  template <class Started>
  Time start_due(System& system, Started started) {
    Time next = kNever;
    std::size_t kept = 0;
    for (const Planned& planned : waiting_) {
      if (planned.slot <= system.now() && system.job(planned.job).processors <= system.free()) {
        system.start(planned.job);
        started(planned.job);
      } else {
        if (planned.slot > system.now()) next = std::min(next, planned.slot);
        waiting_[kept++] = planned;
      }
    }
    waiting_.resize(kept);
    return next;
  }

  std::unique_ptr<Profile> plan_;  // running and waiting jobs, by what is expected of them
  std::vector<Planned> waiting_;   // in the order in which they joined
};

class Conservative : public Planner {
 public:
  explicit Conservative(bool compress) : compress_(compress) {}

  void ended(const System& system, JobId id) override {
    const Job& job = system.job(id);
    plan(system).give(system.now(), job.expected_end(), job.processors);
    if (system.now() < job.expected_end()) room_made_ = true;
    something_ended_ = true;
  }

  void shrunk(const System& system, const GivenBack& given) override {
    plan(system).give(system.now(), system.job(given.job).expected_end(), given.processors);
    room_made_ = something_ended_ = true;
  }

  void pass(System& system) override {
    plan(system).advance(system.now());
    if (something_ended_ && compress_ && room_made_) compress(system);
    something_ended_ = false;
    for (; placed_ < waiting_.size(); ++placed_) place_new(system, waiting_[placed_]);
    wake_ = start_due(system, [](JobId) {});
    placed_ = waiting_.size();
  }

 private:
  // Without room made since each job was last tried, no slot could move.
  void compress(const System& system) {
    room_made_ = false;
    for (std::size_t i = 0; i < placed_; ++i) move_forward(system, waiting_[i]);
  }

  void move_forward(const System& system, Planned& planned) {
    const Job& job = system.job(planned.job);
    if (job.length == 0) return place_new(system, planned);
    const Time slot = plan_->earliest(system.now(), job.length, job.processors, planned.slot);
    if (!(slot < planned.slot)) return;
    plan_->give(planned.slot, planned.slot + job.length, job.processors);
    plan_->take(slot, slot + job.length, job.processors);
    planned.slot = slot;
    room_made_ = true;  // what it left may help others at the next end
  }

  void place_new(const System& system, Planned& planned) {
    place(system, planned);
    if (system.job(planned.job).length == 0) room_made_ = true;  // it holds no place, so its slot may have to move
  }

  bool compress_;
  std::size_t placed_ = 0;        // the first so many of those that wait have a slot
  bool something_ended_ = false;
  bool room_made_ = false;        // a slot may have become free since the last compression
};

// With extend-blind a plan lasts until the next event, so no slot is waited for.
class PlannedAnew : public Planner {
 public:
  void ended(const System&, JobId id) override { std::erase(running_, id); }

  void pass(System& system) override {
    plan(system) = Profile(system.processors());
    for (const JobId id : running_) {
      const Job& job = system.job(id);
      plan_->take(system.now(), job.expected_end(), job.processors);  // nothing if that has passed
    }
    for (Planned& planned : waiting_) place(system, planned);
    start_due(system, [&](JobId id) { running_.push_back(id); });
  }

 private:
  std::vector<JobId> running_;
};

std::unique_ptr<Scheduler> make_conservative(const Options& options) {
  if (options.flag("nodes", false)) return make_conservative_on_nodes(options);
  if (options.text("overrun", "extend") == "extend-blind") return std::make_unique<PlannedAnew>();
  return std::make_unique<Conservative>(options.flag("compress", true));
}

const RegisterScheduler conservative{"conservative", make_conservative};

}  // namespace
}  // namespace thinktime
