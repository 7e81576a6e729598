// The application level of a simulation, made from a dict; and its results, as arrays.
#pragma once
#include <nanobind/nanobind.h>

#include <memory>
#include <optional>

#include "binding/checks.h"
#include "binding/cluster.h"
#include "binding/own_application.h"
#include "binding/plans.h"
#include "simulation/simulation.h"
#include "system/application_level.h"

namespace thinktime {

// Null if jobs run as long as they were recorded.
inline std::unique_ptr<ApplicationLevel> level_of(const std::optional<nanobind::dict>& values, bool kill) {
  if (!values) return nullptr;
  nanobind::dict known;  // for built-in models; an external level is an object
  for (auto [name, value] : *values)
    if (nanobind::cast<std::string>(name) != "level") known[name] = value;
  const Plan plan = plan_of(known);
  const LevelRules rules{kill, plan.options.flag("early", false),
                         static_cast<std::size_t>(plan.options.number("core_resource", 0))};
  auto application = values->contains("level") ? std::make_unique<OwnApplication>(nanobind::borrow((*values)["level"]))
                                               : make_application(plan.options.text("name", ""), plan);
  std::vector<std::int64_t> cores = amounts_of(*values, "cores");
  std::int64_t all = 0;
  for (const std::int64_t here : cores)
    require(here >= 0 && here <= kMostProcessors && (all += here) <= kMostProcessors,
            "a platform must have fewer than 2^31 cores");
  return std::make_unique<ApplicationLevel>(std::move(application), Cores(cores), rules);
}

// What happened inside these jobs, one row per job; and their cores, one row per span, by the index of the job.
Columns inside_of(Simulation& simulation, const std::vector<JobId>& jobs);
Columns cores_of(const ApplicationLevel& level, const std::vector<JobId>& jobs);
// The same for aborted runs, in order.
Columns aborted_inside(const std::vector<AbortedInside>& runs);
Columns aborted_cores(const std::vector<AbortedInside>& runs);
// Cores returned before the end of their job; the row of a job is place(job).
template <class Place>
Columns early_returns(const std::vector<ApplicationLevel::EarlyReturn>& returns, Place place) {
  Columns out;
  out["row"] =
      array_of<std::int64_t>(returns.size(), [&](std::size_t i) { return std::int64_t{place(returns[i].job)}; });
  out["run"] = array_of<std::int64_t>(returns.size(), [&](std::size_t i) { return std::int64_t{returns[i].run}; });
  out["time_s"] = array_of<double>(returns.size(), [&](std::size_t i) { return returns[i].time; });
  out["core"] = array_of<std::int64_t>(returns.size(), [&](std::size_t i) { return std::int64_t{returns[i].core}; });
  return out;
}

}  // namespace thinktime
