// A scheduler written in Python: called once per pass with arrays of waiting and running jobs, it returns the rows to
// start.
//
// The GIL is held while such a simulation runs. The policy sees ShownTables, which are updated as jobs come and go; an
// array is created only when the policy reads it. An answer is checked as a whole before any job starts.
#pragma once
#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

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
  void pass(System& system) override;
  void waiting(const System& system, std::vector<JobId>& jobs) const override;

 private:
  nanobind::object asked(System& system);
  void take_answer(const System& system, nanobind::handle answer);
  bool take_buffer(const System& system, nanobind::handle answer);
  void take(const System& system, std::int64_t row);
  void start_chosen(System& system);
  void require_nodes(System& system);
  void add_running(JobId id, const Job& job);
  void remove_running(const Job& job);
  std::size_t place_of(const System& system, const Job& job) const;
  void add_columns(std::vector<ShownTable::Cell>& row, JobId id) const;
  void note_wake(const System& system);
  void tell(nanobind::handle hook, const System& system, const Job& job);
  void forget_answer();
  [[noreturn]] void refuse(const char* what, nanobind::handle value, const System& system, std::int64_t row = -1);
  [[noreturn]] void failed(nanobind::python_error& error, const System& system);

  nanobind::object policy_, schedule_, submitted_, ended_;  // the last two are None if not defined
  std::shared_ptr<Shown> shown_;
  nanobind::object queue_view_, running_view_, machine_view_;
  ReadColumns columns_;
  std::vector<std::size_t> places_;     // places of the columns that the tables show
  std::vector<std::uint32_t> started_;  // start order of the running jobs, as in shown_->running
  std::vector<ShownTable::Cell> row_;   // scratch
  std::vector<std::size_t> chosen_;     // positions in the queue that the answer names, in its order
  std::vector<char> mark_;              // by position in the queue: chosen
  Processors left_ = 0;                 // free processors after the jobs chosen so far
  std::size_t looked_up_ = 0;           // position of the last row found
  std::uint32_t wakes_in_vain_ = 0;     // consecutive, without running or new jobs
};

}  // namespace thinktime
