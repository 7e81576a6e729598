// Sessions of a log and their dependencies, for Python: arrays in, arrays out without a copy.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "binding/arrays.h"
#include "binding/checks.h"
#include "binding/module.h"
#include "users/sessions.h"

namespace nb = nanobind;
using namespace thinktime;

namespace {

template <class T>
std::span<const T> values(const Input<T>& array) {
  return {array.data(), array.shape(0)};
}

Delimiter delimiter_of(const std::string& name) {
  require(name == "arrival" || name == "last" || name == "max", "delimiter must be arrival, last or max");
  return name == "arrival" ? Delimiter::arrival : name == "last" ? Delimiter::last : Delimiter::max;
}

// Named as in the Python class.
Columns sessions(const Input<double>& submit, const Input<double>& end, const Input<double>& user,
                 const std::string& delimiter, double threshold) {
  require(submit.shape(0) == end.shape(0) && submit.shape(0) == user.shape(0), "columns differ in length");
  require_known(submit, "a submit time");
  require_known(end, "an end");
  const Delimiter chosen = delimiter_of(delimiter);
  Sessions found;
  {
    nb::gil_scoped_release release;
    found = find_sessions({values(submit), values(end), values(user)}, chosen, threshold);
  }
  Columns out;
  out["session"] = to_numpy(std::move(found.session));
  out["place"] = to_numpy(std::move(found.place));
  out["rows"] = to_numpy(std::move(found.rows));
  out["users"] = to_numpy(std::move(found.users));
  out["user_start"] = to_numpy(std::move(found.user_start));
  out["by_user"] = to_numpy(std::move(found.by_user));
  out["user"] = to_numpy(std::move(found.user));
  out["first_submit_s"] = to_numpy(std::move(found.first_submit));
  out["last_submit_s"] = to_numpy(std::move(found.last_submit));
  out["last_end_s"] = to_numpy(std::move(found.last_end));
  out["jobs"] = to_numpy(std::move(found.jobs));
  return out;
}

using Array = nb::ndarray<nb::numpy>;

// (begin, stop, by_end)
nb::typed<nb::tuple, Array, Array, Array> predecessors(const Input<double>& began, const Input<double>& ended,
                                                       const Input<std::int64_t>& user_start, bool reduced) {
  const auto start = values(user_start);
  require(began.shape(0) == ended.shape(0), "columns differ in length");
  require_known(began, "the begin of a session");
  require_known(ended, "the end of a session");
  require(!start.empty() && start.front() == 0 && start.back() == static_cast<std::int64_t>(began.shape(0)) &&
              std::is_sorted(start.begin(), start.end()),
          "the users' sessions are not one after the other");
  Predecessors found;
  {
    nb::gil_scoped_release release;
    found = find_predecessors(values(began), values(ended), start, reduced);
  }
  return nb::make_tuple(to_numpy(std::move(found.begin)), to_numpy(std::move(found.stop)),
                        to_numpy(std::move(found.by_end)));
}

}  // namespace

void bind_sessions(nb::module_& m) {
  m.def("sessions", &sessions, nb::kw_only(), nb::arg("submit"), nb::arg("end"), nb::arg("user"), nb::arg("delimiter"),
        nb::arg("threshold"));
  m.def("predecessors", &predecessors, nb::kw_only(), nb::arg("began"), nb::arg("ended"), nb::arg("user_start"),
        nb::arg("reduced"));
}
