// Measures of a workload for Python: arrays in, arrays out, checked here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>

#include "binding/arrays.h"
#include "binding/checks.h"
#include "binding/module.h"
#include "description/shuffles.h"
#include "description/similarity.h"
#include "description/stack_depth.h"

namespace nb = nanobind;
using namespace thinktime;

namespace {

using Numbers = Input<double>;
using Places = Input<std::int64_t>;

template <class T>
std::span<const T> span_of(const Input<T>& array) {
  return {array.data(), array.shape(0)};
}

void require_offsets(std::span<const std::int64_t> start, std::size_t total) {
  require(!start.empty() && start.front() == 0 && start.back() == static_cast<std::int64_t>(total) &&
              std::is_sorted(start.begin(), start.end()),
          "the parts are not one after the other");
}

void require_amounts(std::span<const double> values) {
  require(std::all_of(values.begin(), values.end(), [](double v) { return v >= 0 && std::isfinite(v); }),
          "a value is missing, infinite or negative");
}

auto depths(const Numbers& values, double tolerance) {
  const auto given = span_of(values);
  require(tolerance >= 0, "tolerance must be 0 or more");
  require(std::none_of(given.begin(), given.end(), [](double v) { return std::isnan(v); }), "a value is missing");
  std::vector<std::int64_t> found;
  {
    nb::gil_scoped_release release;
    found = stack_depths(given, tolerance);
  }
  return to_numpy(std::move(found));
}

// Each array is [distance, session], flattened.
Columns similarity(const Numbers& values, const Places& start, const Places& user_start, std::int64_t distances,
                   bool medians) {
  const SessionValues jobs{span_of(values), span_of(start), span_of(user_start)};
  require_amounts(jobs.values);
  require_offsets(jobs.start, jobs.values.size());
  require_offsets(jobs.user_start, jobs.start.size() - 1);
  require(distances > 0, "distances must be at least 1");
  PairSimilarity found;
  {
    nb::gil_scoped_release release;
    found = similarity_by_distance(jobs, distances, medians);
  }
  Columns out;
  out["sum"] = to_numpy(std::move(found.sum));
  out["median"] = to_numpy(std::move(found.median));
  out["pairs"] = to_numpy(std::move(found.pairs));
  out["identical"] = to_numpy(std::move(found.identical));
  return out;
}

auto shuffled(const Numbers& values, const Places& session, const Places& start, const Numbers& weight,
              std::uint64_t seed, const Input<std::uint64_t>& names) {
  const UserValues jobs{span_of(values), span_of(session), span_of(start), span_of(weight)};
  require_amounts(jobs.values);
  require(jobs.session.size() == jobs.values.size() && jobs.start.size() == jobs.weight.size() + 1,
          "columns differ in length");
  require_offsets(jobs.start, jobs.values.size());
  const auto most = static_cast<std::int64_t>(jobs.values.size());
  require(std::all_of(jobs.session.begin(), jobs.session.end(), [&](auto s) { return s >= 0 && s < most; }),
          "sessions are numbered from 0");
  for (std::size_t u = 0; u < jobs.weight.size(); ++u)
    require(std::is_sorted(jobs.values.begin() + jobs.start[u], jobs.values.begin() + jobs.start[u + 1]),
            "a user's values do not ascend");
  std::vector<double> found;
  {
    nb::gil_scoped_release release;
    found = shuffled_similarity(jobs, seed, span_of(names));
  }
  return to_numpy(std::move(found));
}

}  // namespace

void bind_description(nb::module_& m) {
  m.def("stack_depths", &depths, nb::arg("values"), nb::kw_only(), nb::arg("tolerance"));
  m.def("similarity_by_distance", &similarity, nb::kw_only(), nb::arg("values"), nb::arg("start"),
        nb::arg("user_start"), nb::arg("distances"), nb::arg("medians"));
  m.def("shuffled_similarity", &shuffled, nb::kw_only(), nb::arg("values"), nb::arg("session"), nb::arg("start"),
        nb::arg("weight"), nb::arg("seed"), nb::arg("names"));
}
