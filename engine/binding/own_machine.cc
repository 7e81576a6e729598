// `machine` as a scheduler in Python sees it: what is free, and what the policy may do to jobs besides starting them.
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>

#include "binding/arrays.h"
#include "binding/cluster.h"
#include "binding/own_answer.h"
#include "binding/own_views.h"

namespace nb = nanobind;

namespace thinktime {
namespace {

constexpr std::size_t kMostReasons = 100;
constexpr std::size_t kLongestReason = 100;
constexpr double kLatest = 9007199254740992.0;  // 2^53: seconds are exact up to here

struct MachineView : View {};

[[noreturn]] void refuse(const std::string& sentence) { throw nb::value_error(sentence.c_str()); }
std::string job_in(std::int64_t row) { return "the job in row " + std::to_string(row); }

// One row, or an array of rows.
std::vector<std::int64_t> rows_of(const nb::object& rows) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  const nb::object given = numpy.attr("atleast_1d")(rows);
  const auto kind = nb::cast<std::string>(given.attr("dtype").attr("kind"));
  if (nb::cast<int>(given.attr("ndim")) != 1 || (kind != "i" && kind != "u" && nb::len(given) > 0))
    refuse("rows must be one row or an array of rows, such as queue.row[mask]");
  const auto array = nb::cast<Indices>(numpy.attr("ascontiguousarray")(given, "int64"));
  return {array.data(), array.data() + array.shape(0)};
}

JobId waiting_in(const MachineView& machine, std::int64_t row) {
  const std::size_t at = machine.shown->place_in_queue(row);
  if (at == machine.shown->waiting.size()) refuse(job_in(row) + " is not waiting");
  return machine.shown->waiting[at];
}

JobId running_in(const MachineView& machine, std::int64_t row) {
  const std::size_t at = machine.shown->place_in_running(row);
  if (at == machine.shown->runs.size()) refuse(job_in(row) + " is not running");
  return machine.shown->runs[at];
}

Output<bool> fits(const MachineView& machine, const nb::object& rows) {
  const std::vector<std::int64_t> asked = rows_of(rows);
  Trial trial(machine.system(), machine.shown->actions);
  return array_of<bool>(asked.size(), [&](std::size_t i) { return trial.start(waiting_in(machine, asked[i])); });
}

// --- actions

std::uint32_t reason_of(Shown& shown, const std::string& reason) {
  const bool blank = reason.find_first_not_of(' ') == std::string::npos;
  if (blank || reason.size() > kLongestReason || reason.find('\n') != std::string::npos)
    refuse("a reason must be a text of 1 to " + std::to_string(kLongestReason) + " letters in one line");
  const auto at = std::find(shown.reasons.begin(), shown.reasons.end(), reason);
  if (at != shown.reasons.end()) return static_cast<std::uint32_t>(at - shown.reasons.begin());
  if (shown.reasons.size() == kMostReasons)
    refuse("a scheduler must have at most " + std::to_string(kMostReasons) +
           " different reasons: leave numbers and names out of them");
  shown.reasons.push_back(reason);
  return static_cast<std::uint32_t>(shown.reasons.size() - 1);
}

void reject(const MachineView& machine, const nb::object& rows, const std::string& reason) {
  machine.system();
  Shown& shown = *machine.shown;
  const std::uint32_t why = reason_of(shown, reason);
  std::size_t at = 0;
  for (const std::int64_t row : rows_of(rows)) {
    at = shown.place_in_queue(row, at);
    if (at == shown.waiting.size())
      refuse(job_in(row) + " is not waiting: reject jobs of queue.row, and kill running ones");
    if (shown.queue_mark[at] == Shown::kRejected) refuse(job_in(row) + " is rejected twice");
    shown.queue_mark[at] = Shown::kRejected;
    shown.actions.push_back({Action::Kind::reject, shown.waiting[at], why});
  }
}

// The running job in this row, which has no other action in this pass.
JobId leaving(const MachineView& machine, std::int64_t row, const char* verb) {
  Shown& shown = *machine.shown;
  if (shown.leaves.size() != shown.runs.size()) shown.leaves.assign(shown.runs.size(), 0);
  const std::size_t at = shown.place_in_running(row);
  if (at == shown.runs.size())
    refuse(job_in(row) + " is not running: " + verb + " jobs of running.row, and reject waiting ones");
  if (shown.leaves[at]) refuse(job_in(row) + " is killed or requeued twice");
  shown.leaves[at] = 1;
  return shown.runs[at];
}

void add(const MachineView& machine, const Action& action) {
  Shown& shown = *machine.shown;
  shown.actions.push_back(action);
  shown.released += machine.system().freed_by(action.job);
  ++shown.changes;
}

void kill(const MachineView& machine, const nb::object& rows, const std::string& reason) {
  machine.system();
  const std::uint32_t why = reason_of(*machine.shown, reason);
  for (const std::int64_t row : rows_of(rows)) add(machine, {Action::Kind::kill, leaving(machine, row, "kill"), why});
}

// Seconds for each of `n` rows, from one number or an array.
Doubles seconds_of(const nb::object& value, std::size_t n) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  const nb::object all = numpy.attr("broadcast_to")(numpy.attr("asarray")(value, "float64"), n);
  return nb::cast<Doubles>(numpy.attr("ascontiguousarray")(all));
}

void requeue(const MachineView& machine, const nb::object& rows, const std::string& reason, const nb::object& saved_s,
             const nb::object& restart_s) {
  System& system = machine.system();
  const std::uint32_t why = reason_of(*machine.shown, reason);
  const std::vector<std::int64_t> asked = rows_of(rows);
  const Doubles saved = seconds_of(saved_s, asked.size()), restart = seconds_of(restart_s, asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const JobId id = leaving(machine, asked[i], "requeue");
    const Time keeps = saved.data()[i], more = restart.data()[i];
    if (!(keeps >= 0 && keeps <= system.worked(id) && more >= 0 && more <= kLatest))
      refuse("saved_s of " + job_in(asked[i]) +
             " must be from 0 to machine.worked_s(row), and restart_s must be 0 or more");
    add(machine, {Action::Kind::requeue, id, why, keeps, more});
  }
}

Output<double> worked_s(const MachineView& machine, const nb::object& rows) {
  System& system = machine.system();
  const std::vector<std::int64_t> asked = rows_of(rows);
  return array_of<double>(asked.size(), [&](std::size_t i) { return system.worked(running_in(machine, asked[i])); });
}

// --- nodes

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
    const Trial trial(machine.system(), shown.actions);
    shown.node_free = by_node(nodes, nodes.nodes().all_free().data());
    shown.node_free_of = shown.changes;
  }
  return AnyArray(shown.node_free);
}

// The nodes of a running job, one per unit.
Output<std::int64_t> nodes(const MachineView& machine, std::int64_t row) {
  std::vector<std::int64_t> found;
  each_node(cluster(machine).placement(running_in(machine, row)), [&](NodeId node, Processors units) {
    found.insert(found.end(), static_cast<std::size_t>(units), std::int64_t{node});
  });
  return to_numpy(std::move(found));
}

// Values published by plugins, by name.
NamedNumbers values(const MachineView& machine) { return numbers_of(machine.system().values()); }

// Of a waiting or a running job.
Output<Amount> unit(const MachineView& machine, std::int64_t row) {
  const std::size_t at = machine.shown->place_in_running(row);
  const bool runs = at < machine.shown->runs.size();
  const Unit amounts = cluster(machine).unit(runs ? machine.shown->runs[at] : waiting_in(machine, row));
  return array_of<Amount>(amounts.size(), [&](std::size_t r) { return amounts[r]; });
}

void wake(const MachineView& machine, double time) {
  if (!(time > machine.system().now()) || !std::isfinite(time))
    throw nb::value_error("the time of a wake must be finite and after now");
  machine.shown->wake = std::min(machine.shown->wake, time);
}

}  // namespace

nb::object machine_view(std::shared_ptr<Shown> shown) { return nb::cast(MachineView{std::move(shown)}); }

void bind_own_machine(nb::module_& m) {
  nb::class_<MachineView>(m, "MachineNow", "The machine at this pass.")
      .def_prop_ro("processors", [](const MachineView& view) { return view.system().processors(); })
      .def_prop_ro("free", [](const MachineView& view) { return view.system().free() + view.shown->released; })
      .def_prop_ro("really_free", [](const MachineView& view) { return view.system().really_free(); })
      .def_prop_ro("node_free", &node_free)
      .def_prop_ro("node_capacity",
                   [](const MachineView& view) { return by_node(cluster(view), cluster(view).nodes().capacity(0)); })
      .def_prop_ro("values", &values)
      .def("unit", &unit, nb::arg("row"))
      .def("fits", &fits, nb::arg("rows"))
      .def("nodes", &nodes, nb::arg("row"))
      .def("worked_s", &worked_s, nb::arg("rows"))
      .def("reject", &reject, nb::arg("rows"), nb::arg("reason"))
      .def("kill", &kill, nb::arg("rows"), nb::arg("reason"))
      .def("requeue", &requeue, nb::arg("rows"), nb::arg("reason"), nb::arg("saved_s") = 0.0,
           nb::arg("restart_s") = 0.0)
      .def("wake", &wake, nb::arg("time_s"));
}

}  // namespace thinktime
