#include "binding/own_views.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "binding/arrays.h"

namespace nb = nanobind;

namespace thinktime {
namespace {

// Columns of waiting and running jobs that are always shown, in the order of the bindings below.
const std::vector<ShownTable::Kind> kOfQueue = {
    {"row", true}, {"submit_s", false}, {"estimate_s", false}, {"expected_s", false}, {"processors", true}};
const std::vector<ShownTable::Kind> kOfRunning = {
    {"row", true}, {"start_s", false}, {"expected_end_s", false}, {"processors", true}};

std::vector<ShownTable::Kind> kinds(std::vector<ShownTable::Kind> own, const Options& options) {
  for (const std::string& name : shown_names(options)) own.push_back({name.substr(name.starts_with('@')), false});
  return own;
}

const char* kNotNow = "queue, running and machine can be used only during schedule(): keep the arrays, not the object";

struct QueueView : View {
  ShownTable& table() const { return system(), shown->queue; }
};
struct RunningView : View {
  ShownTable& table() const { return system(), shown->running; }
};

// A column of the workload: numbers, or what they mean.
template <class Of>
AnyArray column(const Of& view, const std::string& name) {
  ShownTable& table = view.table();
  const std::size_t c = table.find(name.c_str());
  if (c == table.columns())
    throw nb::attribute_error(("the workload's " + name + " is not available: add it to columns=").c_str());
  const auto meaning = view.shown->meanings.find(name);
  if (meaning == view.shown->meanings.end()) return AnyArray(table.shown(c));
  const nb::object codes = nb::module_::import_("numpy").attr("nan_to_num")(table.shown(c));  // 0: missing
  return AnyArray(meaning->second.attr("take")(codes.attr("astype")("int64")));
}

// A column that is always shown, by its index.
template <class Of, int c>
AnyArray fixed(const Of& view) {
  return AnyArray(view.table().shown(c));
}

}  // namespace

std::vector<std::string> shown_names(const Options& options) {
  std::istringstream names(options.text("shown", ""));
  return {std::istream_iterator<std::string>(names), {}};
}

std::vector<ShownTable::Kind> queue_columns(const Options& options) { return kinds(kOfQueue, options); }
std::vector<ShownTable::Kind> running_columns(const Options& options) { return kinds(kOfRunning, options); }

nb::object queue_view(std::shared_ptr<Shown> shown) { return nb::cast(QueueView{std::move(shown)}); }
nb::object running_view(std::shared_ptr<Shown> shown) { return nb::cast(RunningView{std::move(shown)}); }

System& View::system() const {
  if (!shown->system) throw std::runtime_error(kNotNow);
  return *shown->system;
}

void Shown::begin_pass() {
  if (!actions.empty()) ++changes;
  actions.clear();
  released = 0;
  leaves.clear();
  queue_mark.assign(waiting.size(), kWaits);
}

namespace {

std::size_t place_of(const ShownTable& table, std::int64_t row, std::size_t from) {
  const std::int64_t* const rows = table.wholes(0);
  const std::int64_t* const end = rows + table.size();
  const std::int64_t* at = std::find(rows + from, end, row);
  if (at == end) at = std::find(rows, rows + from, row);
  return at == rows + from && (at == end || *at != row) ? table.size() : static_cast<std::size_t>(at - rows);
}

}  // namespace

std::size_t Shown::place_in_queue(std::int64_t row, std::size_t from) const { return place_of(queue, row, from); }
std::size_t Shown::place_in_running(std::int64_t row, std::size_t from) const { return place_of(running, row, from); }

void bind_own_views(nb::module_& m) {
  nb::class_<QueueView>(m, "Queue", "The waiting jobs, in the order of joining: read-only arrays of equal length.")
      .def("__len__", [](const QueueView& view) { return view.table().size(); })
      .def_prop_ro("row", &fixed<QueueView, 0>)
      .def_prop_ro("submit_s", &fixed<QueueView, 1>)
      .def_prop_ro("estimate_s", &fixed<QueueView, 2>)
      .def_prop_ro("expected_s", &fixed<QueueView, 3>)
      .def_prop_ro("processors", &fixed<QueueView, 4>)
      .def("__getattr__", &column<QueueView>, nb::arg("name"));
  nb::class_<RunningView>(m, "Running", "The running jobs, by expected end: read-only arrays of equal length.")
      .def("__len__", [](const RunningView& view) { return view.table().size(); })
      .def_prop_ro("row", &fixed<RunningView, 0>)
      .def_prop_ro("start_s", &fixed<RunningView, 1>)
      .def_prop_ro("expected_end_s", &fixed<RunningView, 2>)
      .def_prop_ro("processors", &fixed<RunningView, 3>)
      .def("__getattr__", &column<RunningView>, nb::arg("name"));
}

}  // namespace thinktime
