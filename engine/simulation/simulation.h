// The event loop. Inside one instant, in this order: ends release processors; users hear of them and may submit
// for this same instant; submissions join the queue by (time, original order); one scheduler pass; starts.
//
// This is the batch rule. Other simulators make a pass after each single event, submissions first (pyss) or ends first
// (CQSim). Both rules are implemented, so that their schedules can be compared job by job.
#pragma once
#include <chrono>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "simulation/decisions.h"
#include "simulation/plugins.h"
#include "simulation/system_state.h"
#include "simulation/timeline.h"
#include "system/scheduler.h"
#include "system/user_model.h"

namespace thinktime {

enum class SameInstant { batch, each_submit_first, each_end_first };
enum class Overrun { extend, extend_blind, kill };

struct Rules {
  SameInstant same_instant = SameInstant::batch;
  Overrun overrun = Overrun::extend;
  double speed = 1.0;
  bool keep_timeline = true;
  bool keep_jobs = true;               // false: finished jobs are handed out and forgotten
  bool keep_decisions = false;         // true: every pass is timed; false: a sample of them
  std::int64_t (*memory)() = nullptr;  // bytes held by the process
};

// A job as the workload has it, before the machine's speed and the overrun rule.
struct Request {
  Time submit;
  Time run;
  Time estimate;
  Processors processors;
  std::uint32_t row;
};

struct Statistics {
  std::uint64_t events = 0;  // submissions and ends
  std::uint64_t passes = 0;
  std::uint64_t instants = 0;
};

// A run of a job that was aborted.
struct Attempt {
  JobId job;
  Time start, end;
  Processors processors;
  Placement placement;
  Fate fate;
  Time saved;  // seconds of work kept by a checkpoint
};

class Simulation : private Control {
 public:
  Simulation(SystemState state, Rules rules, std::unique_ptr<Scheduler> scheduler, UserModel& users);

  // Before the first instant, in this order.
  void add_level(std::unique_ptr<ApplicationLevel> level) { state_.set_level(std::move(level)); }
  void expect(std::size_t jobs) { state_.reserve(jobs); }
  std::vector<std::uint32_t> add_shapes(std::span<const Amount> units);  // see Cluster
  void set_variant(JobId id, std::uint32_t variant) { state_.level()->set_variant(id, variant); }
  JobId add(const Request& request);  // pending until its user submits it
  void add_plugins(std::vector<std::unique_ptr<Plugin>> plugins);

  Time next() const;  // the next instant; kNever if nothing is left
  bool step();        // runs one round of the next instant; false if there is none or it is not known yet
  // Runs all instants up to and including `until`, or `max_rounds` rounds; returns the number of rounds.
  std::uint64_t run(Time until, std::uint64_t max_rounds);
  // Runs for about `seconds` of real time; true if nothing is left up to `until`.
  bool run_for(Time until, double seconds);
  void finish();  // lets plugins complete their reports

  using Control::cluster;
  using Control::system;
  const Scheduler& scheduler() const { return *scheduler_; }
  Scheduler& scheduler() { return *scheduler_; }
  const Plugins* plugins() const { return plugins_.get(); }
  Plugins* plugins() { return plugins_.get(); }
  const Statistics& statistics() const { return statistics_; }
  Timeline& timeline() { return timeline_; }
  const Decisions& decisions() const { return decisions_; }
  std::vector<Decision> take_decisions() { return decisions_.take(); }
  const std::vector<Attempt>& attempts() const { return attempts_; }
  Inside spent(JobId id);  // what has happened inside a job up to now; needs an application level

  // With keep_jobs = false: finished jobs in the order of their ends; their slots are reused after forget_finished().
  const std::vector<JobId>& finished() const { return finished_; }
  // The aborted runs and early returns of cores of finished jobs; in the simulation only those of others remain.
  struct RunsTaken {
    std::vector<Attempt> attempts;
    std::vector<AbortedInside> inside;  // of the same runs, with an application level
    std::vector<ApplicationLevel::EarlyReturn> early;
  };
  RunsTaken take_runs();
  void forget_finished();
  void give_up();  // nothing is left to happen: the jobs that are not over count as finished, in the order of rows
  // Jobs that were loaded into these slots, with numbers for one of the plugins.
  void load_plugin(std::size_t plugin, std::span<const JobId> jobs, const Plan& numbers);
  void index_rows() { state_.index_rows(); }

 private:
  static constexpr std::uint64_t kRoundsBetweenLooks = 64;  // at the clock
  static constexpr std::uint64_t kMostRoundsInVain = 100'000;
  static constexpr double kSecondsBetweenMemory = 2e-3;  // a sample costs about 4 microseconds

  using Clock = std::chrono::steady_clock;

  // What plugins and schedulers may do (Control, Actions).
  void waiting(std::vector<JobId>& jobs) const override { scheduler_->waiting(state_, jobs); }
  std::uint32_t runs_before(JobId id) const override { return id < aborted_.size() ? aborted_[id] : 0; }
  void close(NodeId node, bool broken) override;
  void open(NodeId node, bool broken) override;
  void changed() override;
  void abort(JobId id, Fate fate, Time saved, Time restart) override;
  void reject(JobId id) override;

  Time first_submission() const;
  bool end_due() const { return state_.next_end() == state_.now(); }
  bool return_due() const { return state_.level() && state_.level()->next() == state_.now(); }
  bool plugin_due() const { return plugins_ && plugins_->next() == state_.now(); }
  bool calendar_due() const { return calendar_change_ == state_.now(); }
  bool submission_due() const { return users_.next() == state_.now(); }
  bool known(Time instant) const { return instant != kNever && instant < users_.horizon(); }

  std::uint64_t rounds(Time until, std::uint64_t most);
  void round(Time instant);
  // The events of this round: all ends and submissions of the instant, or one event. False if a submission of this
  // instant may still be unknown: the round continues when more of the log is read.
  bool happen();
  void one_event();
  void end_one();
  void return_one();
  void act();
  void submit_one();
  void leave(JobId id);  // ended, killed or rejected: its user hears of it
  void lose(JobId id);
  void requeue(JobId id, Time saved, Time restart);

  void pass();
  void timed_pass();
  std::int64_t memory(Clock::time_point now);  // of the process, sampled now or before

  Rules rules_;
  SystemState state_;
  std::unique_ptr<Scheduler> scheduler_;
  UserModel& users_;
  std::unique_ptr<Plugins> plugins_;  // null without plugins
  Timeline timeline_;
  Decisions decisions_;
  Clock::time_point last_;       // the end of the last pass, or when the caller called run or step
  Clock::time_point memory_at_;  // when the memory was last sampled
  std::int64_t memory_bytes_ = 0;
  Statistics statistics_;
  std::vector<JobId> finished_;
  std::vector<Attempt> attempts_;
  std::vector<std::uint32_t> aborted_;  // by job: number of aborted runs
  Time calendar_change_ = kNever;       // the next one
  bool interrupted_ = false;            // a round is not complete
  std::uint64_t in_vain_ = 0;           // successive rounds in which nothing ran and no submission was planned
};

}  // namespace thinktime
