// The application level of a simulation, made from a dict; and its results, as arrays.
#pragma once
#include <nanobind/nanobind.h>

#include <memory>
#include <optional>

#include "applications/loop.h"
#include "binding/checks.h"
#include "binding/cluster.h"
#include "binding/own_application.h"
#include "binding/plans.h"
#include "simulation/simulation.h"
#include "system/application_level.h"

namespace thinktime {

// What a plan may contain besides arrays and options: an external level, a technique in Python, plans of variants.
inline nanobind::dict without_objects(const nanobind::dict& values) {
  nanobind::dict known;
  for (auto [name, value] : values) {
    const auto key = nanobind::cast<std::string>(name);
    if (key != "level" && key != "own_technique" && key != "variants") known[name] = value;
  }
  return known;
}

// Loops with the techniques and variants of a plan.
std::unique_ptr<Loop> loop_of(const nanobind::dict& values);
bool has_own_technique(const nanobind::dict& values);

// Null if jobs run as long as they were recorded.
inline std::unique_ptr<ApplicationLevel> level_of(const std::optional<nanobind::dict>& values, bool kill) {
  if (!values) return nullptr;
  const Plan plan = plan_of(without_objects(*values));
  const LevelRules rules{kill, plan.options.flag("early", false),
                         static_cast<std::size_t>(plan.options.number("core_resource", 0))};
  std::unique_ptr<Application> application;
  if (values->contains("level")) {
    application = std::make_unique<OwnApplication>(nanobind::borrow((*values)["level"]));
  } else {
    application = loop_of(*values);
  }
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
