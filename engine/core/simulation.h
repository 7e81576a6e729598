// The event loop. Inside one instant, in this order: ends release processors; users hear of them and may submit
// for this very instant; submissions join the queue by (time, original order); one scheduler pass; starts.
//
// That is the batch rule. Other simulators make a pass after each single event, submissions first (pyss) or
// ends first (CQSim); both are here, so that their schedules can be compared job by job.
#pragma once
#include <chrono>
#include <memory>
#include <vector>

#include "core/decisions.h"
#include "core/jobs.h"
#include "core/timeline.h"
#include "plugins/plugins.h"
#include "schedulers/scheduler.h"
#include "users/user_model.h"

namespace thinktime {

enum class SameInstant { batch, each_submit_first, each_end_first };
enum class Overrun { extend, extend_blind, kill };

struct Rules {
  SameInstant same_instant = SameInstant::batch;
  Overrun overrun = Overrun::extend;
  double speed = 1.0;
  bool keep_timeline = true;
  bool keep_jobs = true;  // false: finished jobs are handed out and forgotten
  bool keep_decisions = false;  // true: every pass is timed
  std::int64_t (*memory)() = nullptr;  // bytes that the process holds; asked now and then if decisions are kept
};

// A job as the workload gives it, before the machine's speed and the overrun rule.
struct Request {
  Time submit;
  Time run;
  Time estimate;
  Processors processors;
  std::uint32_t row;
};

struct Statistics {
  std::uint64_t events = 0;        // submissions and ends
  std::uint64_t passes = 0;
  std::uint64_t instants = 0;
  std::uint64_t timed_passes = 0;  // one pass in kTimedEvery is timed, with keep_decisions all
  double timed_s = 0;
};

// What becomes of a job that is aborted.
enum class Fate { lost, requeued };

// A run of a job that came to nothing, or to a checkpoint.
struct Attempt {
  std::uint32_t row;
  Time start, end;
  Processors processors;
  Placement placement;
  Fate fate;
  Time saved;  // of its work
};

class Simulation {
 public:
  Simulation(System system, Rules rules, std::unique_ptr<Scheduler> scheduler, UserModel& users);

  void expect(std::size_t jobs) { system_.jobs_.reserve(system_.jobs_.size() + jobs); }
  JobId add(const Request& request);  // pending until its user submits it

  void add_level(std::unique_ptr<ApplicationLevel> level) { system_.level_ = std::move(level); }  // before the jobs
  const ApplicationLevel* level() const { return system_.level_.get(); }

  void add_plugins(std::vector<std::unique_ptr<Plugin>> plugins);  // after the jobs

  Time next() const;                  // the next instant, kNever if nothing is left
  bool step();                        // one round of the next instant; false if it is not known or there is none
  std::uint64_t run(Time until, std::uint64_t max_rounds);  // rounds made; instants up to and including `until`
  bool run_for(Time until, double seconds);  // the same for about so long; true if nothing is left up to `until`

  const System& system() const { return system_; }
  std::size_t jobs() const { return system_.jobs_.size(); }
  Cluster* cluster() { return system_.cluster(); }
  std::vector<std::uint32_t> add_shapes(std::span<const Amount> units);  // see Cluster
  const Scheduler& scheduler() const { return *scheduler_; }
  Scheduler& scheduler() { return *scheduler_; }
  const Statistics& statistics() const { return statistics_; }
  Timeline& timeline() { return timeline_; }
  const Decisions& decisions() const { return decisions_; }
  const std::vector<JobId>& finished() const { return finished_; }  // with keep_jobs = false, in the order of ends
  void forget_finished();                                           // their slots may be used again
  void running(std::vector<JobId>& jobs) const;       // by end, ties by start order

  // What plugins may do.
  Time now() const { return system_.now_; }
  Job& job(JobId id) { return system_.jobs_[id]; }
  void running_on(NodeId node, std::vector<JobId>& jobs) const;  // in start order
  // A closed node takes no new jobs; one that is broken besides draws no power.
  void close(NodeId node, bool broken = false);
  void open(NodeId node, bool broken = false);
  void changed();  // pools or the calendar
  Values& values() { return system_.values(); }
  // How long the running job has worked: without boot and restart.
  Time worked(JobId id) const;
  // How much of the run of a job is no work: a boot, a restart.
  Time overhead(JobId id) const { return system_.overhead(id); }
  // What has happened inside a job up to now, if an application level looks into it.
  Inside spent(JobId id) {
    const Job& job = system_.jobs_[id];
    return system_.level_->spent(id, job, job.start + overhead(id), system_.now_);
  }
  std::uint32_t runs_before(JobId id) const { return id < aborted_.size() ? aborted_[id] : 0; }  // that were aborted
  // Takes a running job off its nodes. One that is requeued has `saved` less to do, and `restart` more.
  void abort(JobId id, Fate fate, Time saved, Time restart);
  const std::vector<Attempt>& attempts() const { return attempts_; }
  const Plugins* plugins() const { return plugins_.get(); }
  void finish();  // plugins may close their books

 private:
  static constexpr std::uint64_t kTimedEvery = 64;
  static constexpr std::uint64_t kRoundsBetweenLooks = 64;  // at the clock
  static constexpr std::uint64_t kMostRoundsInVain = 100'000;
  static constexpr std::uint64_t kPassesBetweenMemory = 64;  // asking costs a microsecond or two

  using Clock = std::chrono::steady_clock;

  bool end_due() const { return system_.ends_.next() == system_.now_; }
  bool gift_due() const { return system_.level_ && system_.level_->next() == system_.now_; }
  bool submission_due() const { return users_.next() == system_.now_; }
  bool known(Time instant) const { return instant != kNever && instant < users_.horizon(); }
  void round(Time instant);
  void happen();  // what belongs to this round: all ends and submissions of the instant, or one event
  void end_one();
  void give_back_one();
  void submit_one();
  void fetch(JobId id) const {  // into the cache
    if (id != kNobody) __builtin_prefetch(&system_.jobs_[id]);
  }
  void pass();
  void timed_pass();
  void keep_decision(std::int64_t queued_jobs, Clock::time_point begin, Clock::time_point end);
  std::uint64_t rounds(Time until, std::uint64_t most);
  void count_what_ends_now();
  void leave(JobId id);  // ended, killed or rejected: tell its user
  void join(JobId id);   // the queue
  void release(JobId id);
  void whole_again(JobId id);
  bool plugin_due() const { return plugins_ && plugins_->next() == system_.now_; }
  bool calendar_due() const { return change_ == system_.now_; }
  void act();
  TimelineRow row() const;

  Rules rules_;
  System system_;
  std::unique_ptr<Scheduler> scheduler_;
  UserModel& users_;
  Timeline timeline_;
  Decisions decisions_;
  Clock::time_point last_;            // the end of the last pass, or when the caller handed over
  Statistics statistics_;
  std::vector<JobId> finished_;
  std::unique_ptr<Plugins> plugins_;  // nobody if there are none
  std::vector<Attempt> attempts_;
  std::vector<std::uint32_t> aborted_;  // by job: how often
  Time change_ = kNever;              // the calendar's next
  std::uint64_t in_vain_ = 0;         // rounds in which nothing ran and nobody was to come, one after the other
};

}  // namespace thinktime
