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

  Control& control() const {
    if (!backstage->control)
      throw std::runtime_error("a plugin's system can be used only during a callback: keep numbers, not the object");
    return *backstage->control;
  }
  Control& acting() const {
    if (!control().cluster() || !backstage->may_act)
      throw std::runtime_error("nodes can be closed and jobs aborted only in act, submitted or before_pass");
    return control();
  }
  JobId slot(std::int64_t row) const {
    const bool is_row = row >= 0 && row < std::int64_t{kNoJob};
    const JobId id = is_row ? control().system().slot_of(static_cast<std::uint32_t>(row)) : kNoJob;
    if (id == kNoJob) throw nb::value_error("unknown job");
    return id;
  }
  const Job& job(std::int64_t row) const { return control().system().job(slot(row)); }
  NodeId node(std::int64_t node) const {
    if (node < 0 || node >= control().cluster()->nodes().size()) throw nb::value_error("unknown node");
    return static_cast<NodeId>(node);
  }
};

Output<std::int64_t> rows_of(const View& view, const std::vector<JobId>& jobs) {
  return array_of<std::int64_t>(jobs.size(),
                                [&](std::size_t i) { return std::int64_t{view.control().system().job(jobs[i]).row}; });
}
Output<std::int64_t> queue(const View& view) {
  std::vector<JobId> jobs;
  view.control().waiting(jobs);
  return rows_of(view, jobs);
}
Output<std::int64_t> running(const View& view) {
  std::vector<JobId> jobs;
  view.control().system().running_by_end(jobs);
  return rows_of(view, jobs);
}
Output<std::int64_t> running_on(const View& view, std::int64_t node) {
  std::vector<JobId> jobs;
  view.control().system().running_on(view.node(node), jobs);
  return rows_of(view, jobs);
}
nb::typed<nb::tuple, nb::typed<nb::tuple, int, int>, nb::ellipsis> placement(const View& view, std::int64_t row) {
  nb::list nodes;
  each_node(view.control().cluster()->placement(view.slot(row)),
            [&](NodeId node, Processors units) { nodes.append(nb::make_tuple(node, units)); });
  return nb::tuple(nodes);
}
Output<std::int64_t> node_free(const View& view) {
  const std::vector<Amount>& free = view.control().cluster()->nodes().all_free();
  return array_of<std::int64_t>(free.size(), [&](std::size_t i) { return free[i]; });
}
NamedNumbers values(const View& view) { return numbers_of(view.control().system().values()); }
void publish(const View& view, const std::string& name, double number) {
  Values& all = view.control().values();
  all.set(all.place(name), number);
}
void wake(const View& view, double time) {
  if (!(time > view.control().now()) || !std::isfinite(time))
    throw nb::value_error("the time of a wake must be finite and after now");
  view.backstage->wake = std::min(view.backstage->wake, time);
}
constexpr double kLatest = 9007199254740992.0;  // 2^53: seconds are exact up to here
bool is_running(const Job& job) { return job.state == State::running; }
void abort(const View& view, std::int64_t row, bool lost, double saved, double restart) {
  Control& control = view.acting();
  if (!is_running(view.job(row))) throw nb::value_error("a job can be aborted only while it runs");
  if (!(saved >= 0 && restart >= 0 && restart <= kLatest) || saved > control.system().worked(view.slot(row)))
    throw nb::value_error("saved_s must be between 0 and the time worked, and restart_s must be 0 or more");
  control.abort(view.slot(row), lost ? Fate::lost : Fate::requeued, saved, restart);
}
void close(const View& view, std::int64_t node, bool broken) {
  view.acting().close(view.node(node), broken);
  ++view.backstage->closed[{view.node(node), broken}];
}
// A plugin may open only what it has closed.
void open(const View& view, std::int64_t node, bool broken) {
  Control& control = view.acting();
  std::uint32_t& closed = view.backstage->closed[{view.node(node), broken}];
  if (closed == 0)
    throw nb::value_error(broken ? "this plugin has not closed the node with broken=True"
                                 : "this plugin has not closed the node");
  --closed;
  control.open(view.node(node), broken);
}
bool is_closed(const View& view, std::int64_t node) {
  return view.control().cluster()->nodes().closed(view.node(node));
}

constexpr const char* kNames[] = {"begin",    "act",   "submitting", "submitted", "before_pass", "after_pass",
                                  "starting", "delay", "started",    "shrunk",    "ending",      "ended"};

}  // namespace

OwnPlugin::OwnPlugin(nb::object behaviour)
    : behaviour_(std::move(behaviour)), backstage_(std::make_shared<Backstage>()) {
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

// The caller holds the GIL.
nb::object OwnPlugin::call(Control& control, Callback callback, bool may_act, std::int64_t row) {
  struct Back {  // restores the state: an abort calls back during a callback
    Backstage& backstage;
    Control* control;
    bool may_act;
    ~Back() { backstage.control = control, backstage.may_act = may_act; }
  } back{*backstage_, backstage_->control, backstage_->may_act};
  backstage_->control = &control;
  backstage_->may_act = may_act;
  nb::object answer = row < 0 ? callbacks_[callback](view_) : callbacks_[callback](view_, row);
  next_ = backstage_->wake;
  return answer;
}

void OwnPlugin::tell(Control& control, Callback callback, bool may_act, std::int64_t row) {
  if (!has(callback)) return;
  nb::gil_scoped_acquire acquire;
  call(control, callback, may_act, row);
}

void OwnPlugin::begin(Control& control) { tell(control, kBegin, false); }
void OwnPlugin::act(Control& control) {
  next_ = backstage_->wake = kNever;
  tell(control, kAct, true);
}
bool OwnPlugin::admits(Control& control, JobId id) {
  if (!has(kSubmitting)) return true;
  nb::gil_scoped_acquire acquire;
  return nb::cast<bool>(call(control, kSubmitting, false, row(control, id)));
}
void OwnPlugin::submitted(Control& control, JobId id) { tell(control, kSubmitted, true, row(control, id)); }
void OwnPlugin::before_pass(Control& control) { tell(control, kBefore, true); }
void OwnPlugin::after_pass(Control& control) { tell(control, kAfter, false); }
bool OwnPlugin::allows(Control& control, JobId id) {
  if (!has(kStarting)) return true;
  nb::gil_scoped_acquire acquire;
  return nb::cast<bool>(call(control, kStarting, false, row(control, id)));
}
Time OwnPlugin::delay(Control& control, JobId id) {
  if (!has(kDelay)) return 0;
  nb::gil_scoped_acquire acquire;
  return nb::cast<double>(call(control, kDelay, false, row(control, id)));
}
void OwnPlugin::started(Control& control, JobId id) { tell(control, kStarted, false, row(control, id)); }
void OwnPlugin::shrunk(Control& control, const GivenBack& given) {
  tell(control, kShrunk, false, row(control, given.job));
}
void OwnPlugin::ending(Control& control, JobId id) { tell(control, kEnding, false, row(control, id)); }
void OwnPlugin::ended(Control& control, JobId id) { tell(control, kEnded, false, row(control, id)); }

void bind_own_plugin(nb::module_& m) {
  nb::class_<View>(m, "PluginSystem")
      .def_prop_ro("now_s", [](const View& view) { return view.control().now(); })
      .def_prop_ro("queue", &queue, nb::rv_policy::automatic)
      .def_prop_ro("running", &running, nb::rv_policy::automatic)
      .def_prop_ro("free", [](const View& view) { return view.control().system().unused(); })
      .def_prop_ro("nodes", [](const View& view) { return view.control().cluster()->nodes().size(); })
      .def_prop_ro("node_free", &node_free, nb::rv_policy::automatic)
      .def_prop_ro("values", &values)
      .def("running_on", &running_on)
      .def("placement", &placement)
      .def("is_running", [](const View& view, std::int64_t row) { return is_running(view.job(row)); })
      .def("start_s", [](const View& view, std::int64_t row) { return view.job(row).start; })
      .def("expected_s", [](const View& view, std::int64_t row) { return view.job(row).length; })
      .def("worked_s",
           [](const View& view, std::int64_t row) {
             return is_running(view.job(row)) ? view.control().system().worked(view.slot(row)) : 0.0;
           })
      .def("is_closed", &is_closed)
      .def("publish", &publish)
      .def("wake", &wake)
      .def("abort", &abort, nb::arg("job"), nb::arg("lost") = false, nb::arg("saved_s") = 0.0,
           nb::arg("restart_s") = 0.0)
      .def("close", &close, nb::arg("node"), nb::arg("broken") = false)
      .def("open", &open, nb::arg("node"), nb::arg("broken") = false);
}

}  // namespace thinktime
