// The promised starts of blocked heads in a finished schedule, for the check of results.
#include <nanobind/ndarray.h>

#include "binding/arrays.h"
#include "binding/checks.h"
#include "binding/module.h"
#include "checks/promises.h"
#include "checks/promises_on_nodes.h"

namespace nb = nanobind;

namespace thinktime {
namespace {

constexpr std::int64_t kMostAmount = std::int64_t{1} << 31;  // times 2^31 units it still fits int64

std::vector<Amount> amounts(const Indices& values) { return {values.data(), values.data() + values.shape(0)}; }

Output<double> easy_promises(const Doubles& submit, const Doubles& start, const Doubles& end,
                             const Doubles& expected_end, const Counts& processors, Processors machine) {
  require_equal_lengths({submit.shape(0), start.shape(0), end.shape(0), expected_end.shape(0), processors.shape(0)});
  for (const Doubles* times : {&submit, &start, &end, &expected_end}) require_known(*times, "a time");
  require_between(processors, 1, kMostProcessors, "the processors of a job");
  require(machine >= 0, "machine must be 0 or more");
  std::vector<Scheduled> jobs(submit.shape(0));
  for (std::size_t i = 0; i < jobs.size(); ++i)
    jobs[i] = {submit.data()[i], start.data()[i], end.data()[i], expected_end.data()[i], processors.data()[i]};
  std::vector<Time> promised;
  {
    nb::gil_scoped_release release;
    promised = promised_starts(jobs, machine);
  }
  return array_of<double>(promised.size(), [&](std::size_t i) { return promised[i]; });
}

// The placement of each job, from spans with the index of their job in `row`.
std::vector<Placement> placements(std::size_t jobs, const Indices& row, const Indices& first, const Indices& nodes,
                                  const Indices& units, std::size_t size) {
  std::vector<Placement> found(jobs);
  require_equal_lengths({row.shape(0), first.shape(0), nodes.shape(0), units.shape(0)});
  const auto known = static_cast<std::int64_t>(size);
  require_between(row, 0, static_cast<std::int64_t>(jobs) - 1, "the row of a job");
  require_between(first, 0, known - 1, "the number of a node");
  require_between(nodes, 1, known, "the nodes of a job");
  require_between(units, 1, kMostProcessors, "the units of a job on a node");
  for (std::size_t k = 0; k < row.shape(0); ++k) {
    require(first.data()[k] + nodes.data()[k] <= known, "a job has nodes beyond those of the cluster");
    found[row.data()[k]].push_back({static_cast<NodeId>(first.data()[k]), static_cast<std::uint32_t>(nodes.data()[k]),
                                    static_cast<Processors>(units.data()[k])});
  }
  return found;
}

Output<double> easy_promises_on_nodes(const Doubles& submit, const Doubles& start, const Doubles& end,
                                      const Doubles& expected_end, const Indices& processors, const Indices& capacity,
                                      std::size_t resources, const Indices& unit, const Indices& row,
                                      const Indices& first, const Indices& nodes, const Indices& units,
                                      bool neighbours) {
  const std::size_t n = submit.shape(0);
  require_equal_lengths({n, start.shape(0), end.shape(0), expected_end.shape(0), processors.shape(0)});
  for (const Doubles* times : {&submit, &start, &end, &expected_end}) require_known(*times, "a time");
  require(resources > 0 && capacity.shape(0) % resources == 0, "capacity must have one amount per node and resource");
  require(unit.shape(0) / resources == n && unit.shape(0) % resources == 0, "a unit must have one amount per resource");
  require_between(processors, 1, kMostProcessors, "the processors of a job");
  require_between(capacity, 0, kMostAmount, "an amount of a node");
  require_between(unit, 0, kMostAmount, "an amount of a unit");
  std::vector<Scheduled> jobs(n);
  for (std::size_t i = 0; i < n; ++i)
    jobs[i] = {submit.data()[i], start.data()[i], end.data()[i], expected_end.data()[i],
               static_cast<Processors>(processors.data()[i])};
  const OnNodes on{amounts(capacity), resources, amounts(unit),
                   placements(n, row, first, nodes, units, capacity.shape(0) / resources), neighbours};
  std::vector<Time> promised;
  {
    nb::gil_scoped_release release;
    promised = promised_starts(jobs, on);
  }
  return array_of<double>(n, [&](std::size_t i) { return promised[i]; });
}

}  // namespace

}  // namespace thinktime

void bind_promises(nb::module_& m) {
  using namespace thinktime;
  m.def("easy_promises", &easy_promises, nb::kw_only(), nb::arg("submit"), nb::arg("start"), nb::arg("end"),
        nb::arg("expected_end"), nb::arg("processors"), nb::arg("machine"));
  m.def("easy_promises_on_nodes", &easy_promises_on_nodes, nb::kw_only(), nb::arg("submit"), nb::arg("start"),
        nb::arg("end"), nb::arg("expected_end"), nb::arg("processors"), nb::arg("capacity"), nb::arg("resources"),
        nb::arg("unit"), nb::arg("row"), nb::arg("first"), nb::arg("nodes"), nb::arg("units"), nb::arg("neighbours"));
}
