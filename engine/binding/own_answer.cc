#include "binding/own_answer.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <limits>

#include "binding/arrays.h"

namespace nb = nanobind;

namespace thinktime {

Trial::Trial(System& system, const std::vector<Action>& actions) : system_(system), left_(system.free()) {
  for (const Action& action : actions) {
    if (action.kind == Action::Kind::reject) continue;
    left_ += system.freed_by(action.job);
    gone_.push_back(action.job);
    if (system.cluster()) system.cluster()->give(action.job);
  }
}

Trial::~Trial() {
  Cluster* const cluster = system_.cluster();
  if (!cluster) return;
  for (std::size_t i = started_.size(); i-- > 0;) cluster->give(started_[i]);
  for (std::size_t i = gone_.size(); i-- > 0;) cluster->take_back(gone_[i]);
}

bool Trial::start(JobId id, const Placement& nodes) {
  const Job& job = system_.job(id);
  if (system_.cluster() ? !finds_nodes(id, nodes) : job.processors > left_) return false;
  left_ -= job.processors;
  if (!system_.cluster()) return true;
  system_.cluster()->take(id);
  started_.push_back(id);
  return true;
}

bool Trial::finds_nodes(JobId id, const Placement& nodes) {
  Cluster& cluster = *system_.cluster();
  const Job& job = system_.job(id);
  if (nodes.empty()) return cluster.find(id, job, system_.now());
  if (!cluster.is_free(id, nodes) || cluster.meets_closure(id, job, nodes, system_.now())) return false;
  cluster.found() = nodes;
  return true;
}

void OwnAnswer::begin(const System& system) {
  starts_.clear();
  looked_up_ = 0;
  left_ = system.cluster() ? std::numeric_limits<Processors>::max() : system.free() + shown_.released;
}

void OwnAnswer::read(System& system, nb::handle answer) {
  begin(system);
  if (answer.is_none() || nb::isinstance<nb::str>(answer) || nb::isinstance<nb::dict>(answer))
    refuse("answer", answer, system);
  if (PyList_Check(answer.ptr()) || !read_buffer(system, answer)) {
    const nb::object items = nb::steal(PySequence_Fast(answer.ptr(), "no rows"));
    if (!items.is_valid()) {
      PyErr_Clear();
      refuse("answer", answer, system);
    }
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.ptr()); ++i)
      read_item(system, PySequence_Fast_GET_ITEM(items.ptr(), i));
  }
  if (system.cluster() && !starts_.empty()) require_room(system);
}

// A row, or a pair of a row and its nodes.
void OwnAnswer::read_item(const System& system, PyObject* item) {
  const bool pair = PyTuple_Check(item) && PyTuple_GET_SIZE(item) == 2;
  PyObject* const first = pair ? PyTuple_GET_ITEM(item, 0) : item;
  const bool whole = PyIndex_Check(first) && !PyBool_Check(first);
  const Py_ssize_t row = whole ? PyNumber_AsSsize_t(first, PyExc_OverflowError) : -1;
  if (PyErr_Occurred()) PyErr_Clear();
  if (row < 0) refuse("row", item, system);
  Start& start = take(system, row);
  if (pair) read_nodes(system, start, row, PyTuple_GET_ITEM(item, 1));
}

// Reads an int64 array directly, any other sequence item by item.
bool OwnAnswer::read_buffer(const System& system, nb::handle answer) {
  Py_buffer buffer;
  if (!PyObject_CheckBuffer(answer.ptr())) return false;
  if (PyObject_GetBuffer(answer.ptr(), &buffer, PyBUF_FORMAT | PyBUF_STRIDES) != 0) {
    PyErr_Clear();
    return false;
  }
  const std::string format = buffer.format ? buffer.format : "";
  const bool rows = buffer.ndim == 1 && buffer.itemsize == 8 && (format == "l" || format == "q");
  const char* at = static_cast<const char*>(buffer.buf);
  std::vector<std::int64_t> copy;
  for (Py_ssize_t i = 0; rows && i < buffer.shape[0]; ++i, at += buffer.strides[0])
    copy.push_back(*reinterpret_cast<const std::int64_t*>(at));
  PyBuffer_Release(&buffer);
  for (const std::int64_t row : copy) take(system, row);
  return rows;
}

// Finds the next row of the answer in the queue. Rows mostly ascend, so the search continues from the last one.
Start& OwnAnswer::take(const System& system, std::int64_t row) {
  const std::size_t at = shown_.place_in_queue(row, looked_up_);
  if (at == shown_.waiting.size()) refuse("stranger", nb::int_(row), system, row);
  looked_up_ = at;
  if (shown_.queue_mark[at] == Shown::kStarts) refuse("twice", nb::int_(row), system, row);
  if (shown_.queue_mark[at] == Shown::kRejected) refuse("rejected", nb::int_(row), system, row);
  const Job& job = system.job(shown_.waiting[at]);
  if (job.processors > left_) refuse("room", nb::int_(left_), system, row);
  left_ -= job.processors;
  shown_.queue_mark[at] = Shown::kStarts;
  return starts_.emplace_back(shown_.waiting[at], at);
}

void OwnAnswer::read_nodes(const System& system, Start& start, std::int64_t row, nb::handle nodes) {
  if (!system.cluster()) refuse("counted", nb::none(), system, row);
  const nb::object named = policy_.attr("named_nodes")(nodes);  // numbers and units, or None
  if (named.is_none()) refuse("nodes", nodes, system, row);
  const auto number = nb::cast<Indices>(named[0]), units = nb::cast<Indices>(named[1]);
  std::int64_t all = 0;
  for (std::size_t i = 0; i < number.shape(0); ++i) {
    const std::int64_t node = number.data()[i];
    if (node < 0 || node >= system.cluster()->nodes().size())
      refuse("node", nb::make_tuple(node, system.cluster()->nodes().size()), system, row);
    put(start.nodes, static_cast<NodeId>(node), static_cast<Processors>(units.data()[i]));
    all += units.data()[i];
  }
  const Processors needed = system.job(start.job).processors;
  if (all != needed) refuse("units", nb::make_tuple(all, needed), system, row);
}

// Checks that all jobs of the answer find nodes in turn.
void OwnAnswer::require_room(System& system) {
  Trial trial(system, shown_.actions);
  for (const Start& start : starts_) {
    if (trial.start(start.job, start.nodes)) continue;
    const std::int64_t row = shown_.queue.wholes(0)[start.place];
    if (!start.nodes.empty()) require_open(system, start, row);
    refuse("placement", nb::none(), system, row);
  }
}

// Raises the error that explains why a job cannot start on the nodes that the answer names.
void OwnAnswer::require_open(System& system, const Start& start, std::int64_t row) {
  Cluster& cluster = *system.cluster();
  each_node(start.nodes, [&](NodeId node, Processors units) {
    if (cluster.nodes().closed(node)) refuse("closed", nb::int_(node), system, row);
    const Processors fit = cluster.nodes().units(node, cluster.unit(start.job), units);
    if (fit < units) refuse("full", nb::make_tuple(node, fit, units), system, row);
  });
  if (!cluster.pools_suffice(start.job)) refuse("pools", nb::none(), system, row);
  if (cluster.meets_closure(start.job, system.job(start.job), start.nodes, system.now()))
    refuse("closure", nb::none(), system, row);
}

void OwnAnswer::refuse(const char* what, nb::handle value, const System& system, std::int64_t row) {
  policy_.attr("refuse")(what, value, system.now(), row);
  throw std::logic_error("the policy's answer is wrong");  // the line above has thrown
}

}  // namespace thinktime
