// What a finished schedule on nodes owed its blocked heads, for the check of results.
#include "binding/promises.h"

#include <nanobind/ndarray.h>

#include <stdexcept>

#include "binding/arrays.h"
#include "platform/promises_on_nodes.h"

namespace nb = nanobind;

namespace thinktime {
namespace {

using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Whole = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::vector<Amount> amounts(const Whole& values) { return {values.data(), values.data() + values.shape(0)}; }

// Spans in the order of `row`, which are the jobs' places.
std::vector<Placement> placements(std::size_t jobs, const Whole& row, const Whole& first, const Whole& nodes,
                                  const Whole& units, std::size_t size) {
  std::vector<Placement> found(jobs);
  for (std::size_t k = 0; k < row.shape(0); ++k) {
    const std::int64_t past = first.data()[k] + nodes.data()[k];
    if (row.data()[k] < 0 || row.data()[k] >= static_cast<std::int64_t>(jobs) || first.data()[k] < 0 ||
        nodes.data()[k] < 0 || past > static_cast<std::int64_t>(size))
      throw std::invalid_argument("a placement names a job or a node that is not known");
    found[row.data()[k]].push_back({static_cast<NodeId>(first.data()[k]), static_cast<std::uint32_t>(nodes.data()[k]),
                                    static_cast<Processors>(units.data()[k])});
  }
  return found;
}

nb::object easy_promises_on_nodes(const Doubles& submit, const Doubles& start, const Doubles& end,
                                  const Doubles& expected_end, const Whole& processors, const Whole& capacity,
                                  std::size_t resources, const Whole& unit, const Whole& row, const Whole& first,
                                  const Whole& nodes, const Whole& units, bool neighbours) {
  const std::size_t n = submit.shape(0);
  for (const std::size_t other : {start.shape(0), end.shape(0), expected_end.shape(0), processors.shape(0)})
    if (other != n) throw std::invalid_argument("columns have different lengths");
  if (unit.shape(0) != n * resources) throw std::invalid_argument("a unit has an amount for each resource");
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

void bind_promises(nb::module_& m) {
  m.def("easy_promises_on_nodes", &easy_promises_on_nodes, nb::kw_only(), nb::arg("submit"), nb::arg("start"),
        nb::arg("end"), nb::arg("expected_end"), nb::arg("processors"), nb::arg("capacity"), nb::arg("resources"),
        nb::arg("unit"), nb::arg("row"), nb::arg("first"), nb::arg("nodes"), nb::arg("units"), nb::arg("neighbours"));
}

}  // namespace thinktime
