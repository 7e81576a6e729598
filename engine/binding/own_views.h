// What a scheduler in Python sees during a pass: `queue`, `running` and `machine`, and the tables behind them.
#pragma once
#include <nanobind/nanobind.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "binding/shown_table.h"
#include "core/options.h"
#include "system/system.h"

namespace thinktime {

// What a policy does to a job besides starting it.
struct Action {
  enum class Kind : std::uint8_t { reject, kill, requeue };
  Kind kind;
  JobId job;
  std::uint32_t reason;  // index in Shown::reasons
  Time saved = 0, restart = 0;
};

// The state shown to Python. The objects `queue`, `running` and `machine` share it, so it may outlive the simulation.
struct Shown {
  enum Mark : char { kWaits, kStarts, kRejected };

  ShownTable queue, running;
  System* system = nullptr;                          // only during a pass
  Time wake = kNever;                                // requested by the policy
  std::vector<JobId> waiting, runs;                  // the jobs of both tables, in their order
  nanobind::object node_free;                        // on a cluster: the last array shown
  std::uint64_t changes = 0, node_free_of = 0;       // number of starts and ends; its value when node_free was made
  std::map<std::string, nanobind::object> meanings;  // column → array that its numbers index: texts, truth values
  // Of this pass, in the order of the calls; queue_mark and leaves by position in queue and running.
  std::vector<Action> actions;
  std::vector<Mark> queue_mark;
  std::vector<char> leaves;
  Processors released = 0;           // by the actions
  std::vector<std::string> reasons;  // of all actions so far

  void begin_pass();
  // Position of a row, searched from `from` on; the size of the table if it is not there.
  std::size_t place_in_queue(std::int64_t row, std::size_t from = 0) const;
  std::size_t place_in_running(std::int64_t row, std::size_t from = 0) const;
};

struct View {
  std::shared_ptr<Shown> shown;
  System& system() const;  // throws unless there is a pass
};

// Names of the workload's columns that the policy requests: the option `shown`, separated by blanks.
std::vector<std::string> shown_names(const Options& options);

// Columns of the tables: those that are always shown, then those that the policy requests.
std::vector<ShownTable::Kind> queue_columns(const Options& options);
std::vector<ShownTable::Kind> running_columns(const Options& options);
constexpr std::size_t kExpectedEnd = 2;  // in the table of running jobs

nanobind::object queue_view(std::shared_ptr<Shown> shown);
nanobind::object running_view(std::shared_ptr<Shown> shown);
nanobind::object machine_view(std::shared_ptr<Shown> shown);

void bind_own_views(nanobind::module_& m);
void bind_own_machine(nanobind::module_& m);

}  // namespace thinktime
