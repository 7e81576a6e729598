#include "binding/own_views.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

#include "binding/arrays.h"
#include "binding/cluster.h"

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

struct View {
  std::shared_ptr<Shown> shown;
  System& system() const {
    if (!shown->system) throw std::runtime_error(kNotNow);
    return *shown->system;
  }
};
struct QueueView : View {
  ShownTable& table() const { return system(), shown->queue; }
};
struct RunningView : View {
  ShownTable& table() const { return system(), shown->running; }
};
struct MachineView : View {};

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

JobId waiting_in(const MachineView& machine, std::int64_t row) {
  const Shown& shown = *machine.shown;
  const std::int64_t* rows = shown.queue.wholes(0);
  const auto at = static_cast<std::size_t>(std::find(rows, rows + shown.queue.size(), row) - rows);
  if (at == shown.queue.size())
    throw nb::value_error(("the job in row " + std::to_string(row) + " is not waiting").c_str());
  return shown.waiting[at];
}

Output<bool> fits(const MachineView& machine, const nb::object& rows) {
  System& system = machine.system();
  const auto array = nb::cast<Indices>(nb::module_::import_("numpy").attr("ascontiguousarray")(rows, "int64"));
  std::vector<JobId> jobs;
  for (std::size_t i = 0; i < array.shape(0); ++i) jobs.push_back(waiting_in(machine, array.data()[i]));
  const std::vector<bool> fit = fit_in_turn(system, jobs);
  return array_of<bool>(fit.size(), [&](std::size_t i) { return fit[i]; });
}

const Cluster& cluster(const MachineView& machine) {
  if (const Cluster* cluster = machine.system().cluster()) return *cluster;
  throw nb::attribute_error("a counted machine has no nodes");
}

// A matrix with one row per node.
AnyArray by_node(const Cluster& cluster, const Amount* amounts) {
  const std::size_t rows = cluster.nodes().size(), columns = cluster.nodes().resources();
  Amount* copy = new Amount[rows * columns];
  std::copy(amounts, amounts + rows * columns, copy);
  nb::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<Amount*>(p); });
  return AnyArray(nb::cast(nb::ndarray<nb::numpy, const Amount, nb::ndim<2>>(copy, {rows, columns}, owner)));
}

// Cached until a job starts or ends.
AnyArray node_free(const MachineView& machine) {
  Shown& shown = *machine.shown;
  const Cluster& nodes = cluster(machine);
  if (!shown.node_free.is_valid() || shown.node_free_of != shown.changes) {
    shown.node_free = by_node(nodes, nodes.nodes().all_free().data());
    shown.node_free_of = shown.changes;
  }
  return AnyArray(shown.node_free);
}

// Values published by plugins, by name.
NamedNumbers values(const MachineView& machine) { return numbers_of(machine.system().values()); }

Output<Amount> unit(const MachineView& machine, std::int64_t row) {
  const Unit amounts = cluster(machine).unit(waiting_in(machine, row));
  return array_of<Amount>(amounts.size(), [&](std::size_t r) { return amounts[r]; });
}

void wake(const MachineView& machine, double time) {
  if (!(time > machine.system().now()) || !std::isfinite(time))
    throw nb::value_error("the time of a wake must be finite and after now");
  machine.shown->wake = std::min(machine.shown->wake, time);
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
nb::object machine_view(std::shared_ptr<Shown> shown) { return nb::cast(MachineView{std::move(shown)}); }

std::vector<bool> fit_in_turn(System& system, const std::vector<JobId>& jobs) {
  std::vector<bool> fit(jobs.size());
  Processors left = system.free();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = system.job(jobs[i]);
    fit[i] = system.cluster() ? system.cluster()->find(jobs[i], job, system.now()) : job.processors <= left;
    if (!fit[i]) continue;
    left -= job.processors;
    if (system.cluster()) system.cluster()->take(jobs[i]);
  }
  for (std::size_t i = jobs.size(); system.cluster() && i-- > 0;)
    if (fit[i]) system.cluster()->give(jobs[i]);
  return fit;
}

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
  nb::class_<MachineView>(m, "MachineNow", "The machine at this pass.")
      .def_prop_ro("processors", [](const MachineView& view) { return view.system().processors(); })
      .def_prop_ro("free", [](const MachineView& view) { return view.system().free(); })
      .def_prop_ro("really_free", [](const MachineView& view) { return view.system().really_free(); })
      .def_prop_ro("node_free", &node_free)
      .def_prop_ro("node_capacity",
                   [](const MachineView& view) { return by_node(cluster(view), cluster(view).nodes().capacity(0)); })
      .def_prop_ro("values", &values)
      .def("unit", &unit, nb::arg("row"))
      .def("fits", &fits, nb::arg("rows"))
      .def("wake", &wake, nb::arg("time_s"));
}

}  // namespace thinktime
