#include "binding/own_plugin.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "binding/arrays.h"

namespace nb = nanobind;

namespace thinktime {
namespace {

struct View {
  std::shared_ptr<Backstage> backstage;

  Simulation& simulation() const {
    if (!backstage->simulation) throw std::runtime_error("a plugin's system is shown during a callback only: keep numbers, not the object");
    return *backstage->simulation;
  }
  Simulation& acting() const {
    if (!simulation().cluster() || !backstage->may_act)
      throw std::runtime_error("nodes are closed and jobs aborted where a pass follows: in act, submitted or before_pass");
    return simulation();
  }
  const Job& job(std::int64_t row) const {  // its slot is its row: all jobs are kept
    if (row < 0 || static_cast<std::size_t>(row) >= simulation().jobs()) throw nb::value_error("there is no such job");
    return simulation().system().job(static_cast<JobId>(row));
  }
  NodeId node(std::int64_t node) const {
    if (node < 0 || node >= simulation().cluster()->nodes().size()) throw nb::value_error("there is no such node");
    return static_cast<NodeId>(node);
  }
};

nb::object rows_of(const View& view, const std::vector<JobId>& jobs) {
  return array_of<std::int64_t>(jobs.size(), [&](std::size_t i) { return std::int64_t{view.simulation().system().job(jobs[i]).row}; });
}
nb::object queue(const View& view) {
  std::vector<JobId> jobs;
  view.simulation().scheduler().waiting(view.simulation().system(), jobs);
  return rows_of(view, jobs);
}
nb::object running(const View& view) {
  std::vector<JobId> jobs;
  view.simulation().running(jobs);
  return rows_of(view, jobs);
}
nb::object running_on(const View& view, std::int64_t node) {
  std::vector<JobId> jobs;
  view.simulation().running_on(view.node(node), jobs);
  return rows_of(view, jobs);
}
nb::object placement(const View& view, std::int64_t row) {
  view.job(row);
  nb::list nodes;
  each_node(view.simulation().cluster()->placement(static_cast<JobId>(row)),
            [&](NodeId node, Processors units) { nodes.append(nb::make_tuple(node, units)); });
  return nb::tuple(nodes);
}
nb::object node_free(const View& view) {
  const std::vector<Amount>& free = view.simulation().cluster()->nodes().all_free();
  return array_of<std::int64_t>(free.size(), [&](std::size_t i) { return free[i]; });
}
nb::dict values(const View& view) {
  const Values& all = view.simulation().system().values();
  nb::dict out;
  for (std::size_t k = 0; k < all.names().size(); ++k) out[all.names()[k].c_str()] = all[k];
  return out;
}
void publish(const View& view, const std::string& name, double number) {
  Values& all = view.simulation().values();
  all.set(all.place(name), number);
}
void wake(const View& view, double time) {
  if (!(time > view.simulation().now()) || !std::isfinite(time)) throw nb::value_error("wake at a time after now");
  view.backstage->wake = std::min(view.backstage->wake, time);
}
constexpr double kLatest = 9007199254740992.0;  // 2^53: up to here seconds are exact
bool is_running(const Job& job) { return job.state == State::running; }
void abort(const View& view, std::int64_t row, bool lost, double saved, double restart) {
  Simulation& simulation = view.acting();
  if (!is_running(view.job(row))) throw nb::value_error("a job can be aborted only while it runs");
  if (!(saved >= 0 && restart >= 0 && restart <= kLatest) || saved > simulation.worked(static_cast<JobId>(row)))
    throw nb::value_error("saved_s lies between 0 and what the job has worked, and restart_s is 0 or more");
  simulation.abort(static_cast<JobId>(row), lost ? Fate::lost : Fate::requeued, saved, restart);
}
void close(const View& view, std::int64_t node, bool broken) {
  view.acting().close(view.node(node), broken);
  ++view.backstage->closed[{view.node(node), broken}];
}
// Only what this plugin has closed: others have their own reasons.
void open(const View& view, std::int64_t node, bool broken) {
  Simulation& simulation = view.acting();
  std::uint32_t& closed = view.backstage->closed[{view.node(node), broken}];
  if (closed == 0)
    throw nb::value_error(broken ? "this plugin has not closed the node with broken=True" : "this plugin has not closed the node");
  --closed;
  simulation.open(view.node(node), broken);
}
bool is_closed(const View& view, std::int64_t node) { return view.simulation().cluster()->nodes().closed(view.node(node)); }

constexpr const char* kNames[] = {"begin",    "act",   "submitting", "submitted", "before_pass", "after_pass",
                                  "starting", "delay", "started",    "shrunk",    "ending",      "ended"};

}  // namespace

OwnPlugin::OwnPlugin(nb::object behaviour) : behaviour_(std::move(behaviour)), backstage_(std::make_shared<Backstage>()) {
  for (int k = 0; k < kCallbacks; ++k) {
    nb::object found = nb::getattr(behaviour_, kNames[k], nb::none());
    if (!found.is_none()) callbacks_[k] = std::move(found);
  }
  view_ = nb::cast(View{backstage_});
}

OwnPlugin::~OwnPlugin() {
  nb::gil_scoped_acquire acquire;
  let_go();
}

int OwnPlugin::visit(visitproc visit, void* arg) const {
  Py_VISIT(behaviour_.ptr());
  for (const nb::object& callback : callbacks_) Py_VISIT(callback.ptr());
  return 0;
}

void OwnPlugin::let_go() {
  for (nb::object& callback : callbacks_) callback.reset();
  view_.reset();
  behaviour_.reset();
}

// The GIL is held: what comes back is Python's.
nb::object OwnPlugin::call(Simulation& simulation, Callback callback, bool may_act, std::int64_t row) {
  struct Back {  // an abort calls back while a callback runs
    Backstage& backstage;
    Simulation* simulation;
    bool may_act;
    ~Back() { backstage.simulation = simulation, backstage.may_act = may_act; }
  } back{*backstage_, backstage_->simulation, backstage_->may_act};
  backstage_->simulation = &simulation;
  backstage_->may_act = may_act;
  nb::object answer = row < 0 ? callbacks_[callback](view_) : callbacks_[callback](view_, row);
  next_ = backstage_->wake;
  return answer;
}

void OwnPlugin::tell(Simulation& simulation, Callback callback, bool may_act, std::int64_t row) {
  if (!has(callback)) return;
  nb::gil_scoped_acquire acquire;
  call(simulation, callback, may_act, row);
}

void OwnPlugin::begin(Simulation& simulation) {
  tell(simulation, kBegin, false);
}
void OwnPlugin::act(Simulation& simulation) {
  next_ = backstage_->wake = kNever;
  tell(simulation, kAct, true);
}
bool OwnPlugin::admits(Simulation& simulation, JobId id) {
  if (!has(kSubmitting)) return true;
  nb::gil_scoped_acquire acquire;
  return nb::cast<bool>(call(simulation, kSubmitting, false, row(simulation, id)));
}
void OwnPlugin::submitted(Simulation& simulation, JobId id) {
  tell(simulation, kSubmitted, true, row(simulation, id));
}
void OwnPlugin::before_pass(Simulation& simulation) {
  tell(simulation, kBefore, true);
}
void OwnPlugin::after_pass(Simulation& simulation) {
  tell(simulation, kAfter, false);
}
bool OwnPlugin::allows(Simulation& simulation, JobId id) {
  if (!has(kStarting)) return true;
  nb::gil_scoped_acquire acquire;
  return nb::cast<bool>(call(simulation, kStarting, false, row(simulation, id)));
}
Time OwnPlugin::delay(Simulation& simulation, JobId id) {
  if (!has(kDelay)) return 0;
  nb::gil_scoped_acquire acquire;
  return nb::cast<double>(call(simulation, kDelay, false, row(simulation, id)));
}
void OwnPlugin::started(Simulation& simulation, JobId id) {
  tell(simulation, kStarted, false, row(simulation, id));
}
void OwnPlugin::shrunk(Simulation& simulation, const GivenBack& given) {
  tell(simulation, kShrunk, false, row(simulation, given.job));
}
void OwnPlugin::ending(Simulation& simulation, JobId id) {
  tell(simulation, kEnding, false, row(simulation, id));
}
void OwnPlugin::ended(Simulation& simulation, JobId id) {
  tell(simulation, kEnded, false, row(simulation, id));
}

void bind_own_plugin(nb::module_& m) {
  nb::class_<View>(m, "PluginSystem")
      .def_prop_ro("now_s", [](const View& view) { return view.simulation().now(); })
      .def_prop_ro("queue", &queue)
      .def_prop_ro("running", &running)
      .def_prop_ro("free", [](const View& view) { return view.simulation().system().unused(); })
      .def_prop_ro("nodes", [](const View& view) { return view.simulation().cluster()->nodes().size(); })
      .def_prop_ro("node_free", &node_free)
      .def_prop_ro("values", &values)
      .def("running_on", &running_on)
      .def("placement", &placement)
      .def("is_running", [](const View& view, std::int64_t row) { return is_running(view.job(row)); })
      .def("start_s", [](const View& view, std::int64_t row) { return view.job(row).start; })
      .def("expected_s", [](const View& view, std::int64_t row) { return view.job(row).length; })
      .def("worked_s",
           [](const View& view, std::int64_t row) {
             return is_running(view.job(row)) ? view.simulation().worked(static_cast<JobId>(row)) : 0.0;
           })
      .def("is_closed", &is_closed)
      .def("publish", &publish)
      .def("wake", &wake)
      .def("abort", &abort, nb::arg("job"), nb::arg("lost") = false, nb::arg("saved_s") = 0.0, nb::arg("restart_s") = 0.0)
      .def("close", &close, nb::arg("node"), nb::arg("broken") = false)
      .def("open", &open, nb::arg("node"), nb::arg("broken") = false);
}

}  // namespace thinktime
