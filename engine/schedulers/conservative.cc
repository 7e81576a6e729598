// Conservative backfilling: every job gets a slot when it is submitted, the earliest that delays nobody.
// Feitelson and Weil 1998; Mu'alem and Feitelson 2001.
//
// When a job ends, each waiting job in turn is taken out of the plan and put back at its earliest slot
// (compress). A job starts when its slot has come. Where overruns are not foreseen (extend-blind) the plan is
// made anew at each pass, because the running jobs' expected ends move with the clock.
#include <algorithm>

#include "platform/profile.h"
#include "schedulers/scheduler.h"

namespace thinktime {
namespace {

class Conservative : public Scheduler {
 public:
  explicit Conservative(const Options& options)
      : compress_(options.flag("compress", true)), blind_(options.text("overrun", "extend") == "extend-blind") {}

  void submitted(const System&, JobId job) override { waiting_.push_back({job, kNever}); }

  void ended(const System& system, JobId id) override {
    const Job& job = system.job(id);
    plan(system).give(system.now(), job.expected_end(), job.processors);
    if (system.now() < job.expected_end()) room_made_ = true;
    something_ended_ = true;
    running_.erase(std::remove(running_.begin(), running_.end(), blind_ ? id : kNobody), running_.end());
  }

  void pass(System& system) override {
    plan(system).advance(system.now());
    if (blind_) {
      plan_anew(system);
    } else {
      if (something_ended_ && compress_) compress(system);
      place_new(system);
    }
    something_ended_ = false;
    start_due(system);
  }

  void waiting(std::vector<JobId>& jobs) const override {
    for (const Planned& planned : waiting_) jobs.push_back(planned.job);
  }

 private:
  struct Planned {
    JobId job;
    Time slot;  // kNever: not yet placed
  };

  Profile& plan(const System& system) {
    if (!plan_) plan_ = std::make_unique<Profile>(system.processors());
    return *plan_;
  }

  void compress(const System& system) {
    if (!room_made_) return;  // no slot can move: nothing has become free since each job was last tried
    room_made_ = false;
    for (std::size_t i = 0; i < placed_; ++i) move_forward(system, waiting_[i]);
  }

  void move_forward(const System& system, Planned& planned) {
    const Job& job = system.job(planned.job);
    if (job.length == 0) return place(system, planned);
    const Time slot = plan_->earliest(system.now(), job.length, job.processors, planned.slot);
    if (!(slot < planned.slot)) return;
    plan_->give(planned.slot, planned.slot + job.length, job.processors);
    plan_->take(slot, slot + job.length, job.processors);
    planned.slot = slot;
    room_made_ = true;  // what it left may help others at the next end
  }

  void place_new(const System& system) {
    for (; placed_ < waiting_.size(); ++placed_) place(system, waiting_[placed_]);
  }

  void place(const System& system, Planned& planned) {
    const Job& job = system.job(planned.job);
    planned.slot = plan_->earliest(system.now(), job.length, job.processors);
    plan_->take(planned.slot, planned.slot + job.length, job.processors);
    if (job.length == 0) room_made_ = true;  // it holds no place in the plan, so its slot may have to move
  }

  void plan_anew(const System& system) {
    *plan_ = Profile(system.processors());
    for (const JobId id : running_) {
      const Job& job = system.job(id);
      plan_->take(system.now(), job.expected_end(), job.processors);
    }
    for (Planned& planned : waiting_) place(system, planned);
    placed_ = waiting_.size();
  }

  void start_due(System& system) {
    wake_ = kNever;
    std::size_t kept = 0;
    for (const Planned& planned : waiting_) {
      if (planned.slot <= system.now() && system.job(planned.job).processors <= system.free()) {
        system.start(planned.job);
        if (blind_) running_.push_back(planned.job);
      } else {
        // With extend-blind a plan lasts until the next event, so no slot is waited for.
        if (planned.slot > system.now() && !blind_) wake_ = std::min(wake_, planned.slot);
        waiting_[kept++] = planned;
      }
    }
    waiting_.resize(kept);
    placed_ = kept;
  }

  bool compress_;
  bool blind_;
  std::unique_ptr<Profile> plan_;   // running and waiting jobs, by what is expected of them
  std::vector<Planned> waiting_;    // in the order in which they joined
  std::size_t placed_ = 0;          // the first so many have a slot
  std::vector<JobId> running_;      // kept only where the plan is made anew
  bool something_ended_ = false;
  bool room_made_ = false;          // a slot may have become free since the last compression
};

const RegisterScheduler conservative{
    "conservative", [](const Options& options) { return std::make_unique<Conservative>(options); }};

}  // namespace
}  // namespace thinktime
