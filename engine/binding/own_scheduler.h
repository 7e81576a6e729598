// A scheduler written in Python: called once per pass with arrays of waiting and running jobs, it returns the rows to
// start. It may also reject waiting jobs, and kill or requeue running ones (own_answer.h).
//
// The GIL is held while such a simulation runs. The policy sees ShownTables, which are updated as jobs come and go; an
// array is created only when the policy reads it.
#pragma once
#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "binding/own_answer.h"
#include "binding/own_views.h"
#include "system/scheduler.h"

namespace thinktime {

class OwnScheduler : public Scheduler {
 public:
  // `policy` has schedule(now_s, queue, running, machine), optionally submitted(row, now_s) and ended(row, now_s), and
  // raises errors in refuse(what, value, now_s, row) and failed(exception, now_s).
  OwnScheduler(nanobind::object policy, const Options& options);
  ~OwnScheduler() override;

  // For Python's garbage collector: a policy may refer to its simulation.
  int visit(visitproc visit, void* arg) const;
  void let_go();

  // The tables show meaning[number] instead of the numbers of a column.
  void set_meaning(const std::string& column, nanobind::object meaning) {
    shown_->meanings[column] = std::move(meaning);
  }

  void submitted(const System& system, JobId job) override;
  void ended(const System& system, JobId job) override;
  void shrunk(const System& system, const GivenBack& given) override;
  void changed(const System&) override { ++shown_->changes; }
  void pass(System& system) override;
  void waiting(const System& system, std::vector<JobId>& jobs) const override;
  bool requeues() const override { return true; }

  // An action that has happened.
  struct Done {
    JobId job;
    Time time;
    Action::Kind kind;
    std::uint32_t reason;
  };
  const std::vector<Done>& log() const { return log_; }
  std::vector<Done> take_log(const std::vector<JobId>& jobs);  // removes and returns the actions on these jobs
  const std::vector<std::vector<std::uint64_t>>& counts() const { return counts_; }  // by action and reason
  const std::vector<std::string>& reasons() const { return shown_->reasons; }

 private:
  nanobind::object asked(System& system);
  void act(System& system);
  void note(const Action& action, Time now);
  void reject(System& system, JobId id);
  void requeue(System& system, const Action& action);
  void start_chosen(System& system);
  static bool has_room(System& system, const Start& start);
  void add_running(JobId id, const Job& job);
  void remove_running(JobId id, const Job& job);
  std::size_t place_of(const System& system, const Job& job) const;
  void add_columns(std::vector<ShownTable::Cell>& row, JobId id) const;
  void note_wake(const System& system);
  void tell(nanobind::handle hook, const System& system, const Job& job);
  [[noreturn]] void failed(nanobind::python_error& error, const System& system);

  nanobind::object policy_, schedule_, submitted_, ended_;  // the last two are None if not defined
  std::shared_ptr<Shown> shown_;
  nanobind::object queue_view_, running_view_, machine_view_;
  ReadColumns columns_;
  std::vector<std::size_t> places_;  // places of the columns that the tables show
  OwnAnswer answer_;
  bool when_empty_;                    // also called if no job waits
  std::vector<ShownTable::Cell> row_;  // scratch
  std::vector<char> mark_;             // by position in the queue: starts
  std::vector<Done> log_;
  std::vector<std::vector<std::uint64_t>> counts_{3};
  bool acting_ = false;                 // jobs end and are submitted because the policy asked for it
  std::uint32_t wakes_in_vain_ = 0;     // consecutive, without running or new jobs
  std::uint32_t requeues_in_vain_ = 0;  // consecutive, without an end or a new job
};

}  // namespace thinktime
