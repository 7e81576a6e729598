// A scheduler written in Python: asked once a pass, with arrays of who waits and who runs, it answers with rows to
// start.
//
// The GIL is held while such a simulation runs. What the policy sees is in ShownTables, which are kept up to date as
// jobs come and go; an array is made only when the policy looks at it. An answer is checked as a whole before anything
// starts.
#pragma once
#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "binding/shown_table.h"
#include "system/scheduler.h"

namespace thinktime {

// What Python looks at. The objects `queue`, `running` and `machine` share it, so that it outlives the simulation.
struct Shown {
  ShownTable queue, running;
  System* system = nullptr;                     // only during a pass
  Time wake = kNever;                           // asked for by the policy
  std::vector<JobId> waiting;                   // the jobs of the queue, row by row
  nanobind::object node_free;                   // on a cluster: what was last shown of the nodes
  std::uint64_t changes = 0, node_free_of = 0;  // how often jobs started or ended; up to which `node_free` is of
};

class OwnScheduler : public Scheduler {
 public:
  // `policy` has schedule(now_s, queue, running, machine), perhaps submitted(row, now_s) and ended(row, now_s), and the
  // sentences: refuse(what, value, now_s, row) and failed(exception, now_s).
  OwnScheduler(nanobind::object policy, const Options& options);
  ~OwnScheduler() override;

  // For Python's collector of cycles: a policy may hold the simulation that it decides for.
  int visit(visitproc visit, void* arg) const;
  void let_go();

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
  void add_running(const Job& job);
  void remove_running(const Job& job);
  std::size_t place_of(const System& system, const Job& job) const;
  void add_columns(std::vector<ShownTable::Cell>& row, const Job& job) const;
  void note_wake(const System& system);
  void tell(nanobind::handle hook, const System& system, const Job& job);
  void forget_answer();
  [[noreturn]] void refuse(const char* what, nanobind::handle value, const System& system, std::int64_t row = -1);
  [[noreturn]] void failed(nanobind::python_error& error, const System& system);

  nanobind::object policy_, schedule_, submitted_, ended_;  // the last two None if the policy does not want to know
  std::shared_ptr<Shown> shown_;
  nanobind::object queue_view_, running_view_, machine_view_;
  std::vector<Column> columns_;         // of the workload, which the tables show too
  std::vector<std::uint32_t> started_;  // start order of who runs, as in shown_->running
  std::vector<ShownTable::Cell> row_;   // scratch
  std::vector<std::size_t> chosen_;     // places in the queue that the answer names, in its order
  std::vector<char> mark_;              // by place in the queue: it is chosen
  Processors left_ = 0;                 // of what is free, after those chosen so far
  std::size_t looked_up_ = 0;           // the place that the last row was found at
  std::uint32_t wakes_in_vain_ = 0;     // one after the other, with nothing running and nothing new
};

void bind_own_scheduler(nanobind::module_& m);

}  // namespace thinktime
