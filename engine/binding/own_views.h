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

// The state shown to Python. The objects `queue`, `running` and `machine` share it, so it may outlive the simulation.
struct Shown {
  ShownTable queue, running;
  System* system = nullptr;                          // only during a pass
  Time wake = kNever;                                // requested by the policy
  std::vector<JobId> waiting;                        // the jobs of the queue, in its order
  nanobind::object node_free;                        // on a cluster: the last array shown
  std::uint64_t changes = 0, node_free_of = 0;       // number of starts and ends; its value when node_free was made
  std::map<std::string, nanobind::object> meanings;  // column → array that its numbers index: texts, truth values
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

// Which of these jobs fit now, each together with the earlier ones that fit.
std::vector<bool> fit_in_turn(System& system, const std::vector<JobId>& jobs);

void bind_own_views(nanobind::module_& m);

}  // namespace thinktime
