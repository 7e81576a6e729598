#include "binding/own_scheduler.h"

#include <nanobind/stl/string.h>

#include <algorithm>

namespace nb = nanobind;

namespace thinktime {
namespace {

// After this many wakes without running jobs or submissions, the policy will never start a job.
constexpr std::uint32_t kMostWakesInVain = 100'000;

}  // namespace

OwnScheduler::OwnScheduler(nb::object policy, const Options& options)
    : policy_(std::move(policy)),
      schedule_(policy_.attr("schedule")),
      submitted_(policy_.attr("submitted")),
      ended_(policy_.attr("ended")),
      shown_(std::make_shared<Shown>(ShownTable(queue_columns(options)), ShownTable(running_columns(options)))),
      queue_view_(queue_view(shown_)),
      running_view_(running_view(shown_)),
      machine_view_(machine_view(shown_)),
      columns_(options.columns()) {
  for (const std::string& name : shown_names(options)) places_.push_back(columns_->place(name));
}

OwnScheduler::~OwnScheduler() {
  nb::gil_scoped_acquire acquire;
  let_go();
  shown_.reset();
}

int OwnScheduler::visit(visitproc visit, void* arg) const {
  for (const nb::object* held : {&policy_, &schedule_, &submitted_, &ended_}) Py_VISIT(held->ptr());
  return 0;
}

void OwnScheduler::let_go() {
  for (nb::object* held : {&schedule_, &submitted_, &ended_, &queue_view_, &running_view_, &machine_view_, &policy_})
    held->reset();
}

void OwnScheduler::submitted(const System& system, JobId id) {
  const Job& job = system.job(id);
  row_ = {cell(std::int64_t{job.row}), cell(job.submit), cell(job.estimate), cell(job.length),
          cell(std::int64_t{job.processors})};
  add_columns(row_, id);
  const std::size_t place = place_of(system, job);
  shown_->queue.insert(place, row_);
  shown_->waiting.insert(shown_->waiting.begin() + static_cast<std::ptrdiff_t>(place), id);
  wakes_in_vain_ = 0;
  tell(submitted_, system, job);
}

// At the end; a requeued job returns to its earlier position.
std::size_t OwnScheduler::place_of(const System& system, const Job& job) const {
  const std::vector<JobId>& jobs = shown_->waiting;
  if (jobs.empty() || system.job(jobs.back()).sequence < job.sequence) return jobs.size();
  return static_cast<std::size_t>(
      std::partition_point(jobs.begin(), jobs.end(),
                           [&](JobId other) { return system.job(other).sequence < job.sequence; }) -
      jobs.begin());
}

void OwnScheduler::ended(const System& system, JobId id) {
  remove_running(system.job(id));
  ++shown_->changes;
  wakes_in_vain_ = 0;
  tell(ended_, system, system.job(id));
}

void OwnScheduler::shrunk(const System& system, const GivenBack& given) {
  remove_running(system.job(given.job));
  add_running(given.job, system.job(given.job));
  ++shown_->changes;
  wakes_in_vain_ = 0;
}

void OwnScheduler::remove_running(const Job& job) {
  const double* ends = shown_->running.numbers(kExpectedEnd);
  const std::size_t n = shown_->running.size();
  std::size_t at = static_cast<std::size_t>(std::lower_bound(ends, ends + n, job.expected_end()) - ends);
  while (started_[at] != job.sequence) ++at;
  shown_->running.erase(at);
  started_.erase(started_.begin() + static_cast<std::ptrdiff_t>(at));
}

void OwnScheduler::pass(System& system) {
  note_wake(system);
  if (shown_->waiting.empty()) return;
  take_answer(system, asked(system));  // released before the tables change, because it may be a slice of one
  wake_ = shown_->wake;
  start_chosen(system);
}

void OwnScheduler::waiting(const System&, std::vector<JobId>& jobs) const {
  jobs.insert(jobs.end(), shown_->waiting.begin(), shown_->waiting.end());
}

// Clears a wake that is due.
void OwnScheduler::note_wake(const System& system) {
  if (shown_->wake > system.now()) return;
  wake_ = shown_->wake = kNever;
  if (!shown_->waiting.empty() && started_.empty() && ++wakes_in_vain_ > kMostWakesInVain)
    refuse("wakes", nb::int_(wakes_in_vain_), system, shown_->queue.wholes(0)[0]);
}

nb::object OwnScheduler::asked(System& system) {
  shown_->system = &system;
  try {
    nb::object answer = schedule_(system.now(), queue_view_, running_view_, machine_view_);
    shown_->system = nullptr;
    return answer;
  } catch (nb::python_error& error) {
    shown_->system = nullptr;
    failed(error, system);
  }
}

void OwnScheduler::take_answer(const System& system, nb::handle answer) {
  forget_answer();
  left_ = system.cluster() ? std::numeric_limits<Processors>::max() : system.free();  // nodes are searched later
  if (answer.is_none() || nb::isinstance<nb::str>(answer) || nb::isinstance<nb::dict>(answer))
    refuse("answer", answer, system);
  if (!PyList_Check(answer.ptr()) && take_buffer(system, answer)) return;
  const nb::object items = nb::steal(PySequence_Fast(answer.ptr(), "no rows"));
  if (!items.is_valid()) {
    PyErr_Clear();
    refuse("answer", answer, system);
  }
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.ptr()); ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(items.ptr(), i);
    const bool whole = PyIndex_Check(item) && !PyBool_Check(item);
    const Py_ssize_t row = whole ? PyNumber_AsSsize_t(item, PyExc_OverflowError) : -1;
    if (PyErr_Occurred()) PyErr_Clear();
    if (row < 0) refuse("row", item, system);
    take(system, row);
  }
}

// Reads an int64 array directly, any other sequence item by item.
bool OwnScheduler::take_buffer(const System& system, nb::handle answer) {
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
void OwnScheduler::take(const System& system, std::int64_t row) {
  const std::int64_t* rows = shown_->queue.wholes(0);
  const std::size_t n = shown_->waiting.size();
  std::size_t at = static_cast<std::size_t>(std::find(rows + looked_up_, rows + n, row) - rows);
  if (at == n) at = static_cast<std::size_t>(std::find(rows, rows + looked_up_, row) - rows);
  if (at == looked_up_ && rows[at] != row) refuse("stranger", nb::int_(row), system, row);
  looked_up_ = at;
  if (mark_[at]) refuse("twice", nb::int_(row), system, row);
  const Job& job = system.job(shown_->waiting[at]);
  if (job.processors > left_) refuse("room", nb::int_(left_), system, row);
  left_ -= job.processors;
  mark_[at] = 1;
  chosen_.push_back(at);
}

void OwnScheduler::forget_answer() {
  chosen_.clear();
  mark_.assign(shown_->waiting.size(), 0);
  looked_up_ = 0;
}

void OwnScheduler::start_chosen(System& system) {
  if (chosen_.empty()) return;
  if (system.cluster()) require_nodes(system);
  ++shown_->changes;
  std::size_t started = 0;
  for (const std::size_t at : chosen_) {
    if (!system.has_room(shown_->waiting[at])) {
      mark_[at] = 0;  // a plugin does not allow it now: it keeps waiting
      continue;
    }
    system.start(shown_->waiting[at]);
    add_running(shown_->waiting[at], system.job(shown_->waiting[at]));
    ++started;
  }
  if (started == 0) return;
  shown_->queue.erase_marked(mark_, started);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < shown_->waiting.size(); ++i)
    if (!mark_[i]) shown_->waiting[kept++] = shown_->waiting[i];
  shown_->waiting.resize(kept);
}

// Checks, before any job starts, that all jobs of the answer find nodes in turn.
void OwnScheduler::require_nodes(System& system) {
  std::vector<JobId> jobs;
  for (const std::size_t at : chosen_) jobs.push_back(shown_->waiting[at]);
  const std::vector<bool> fit = fit_in_turn(system, jobs);
  for (std::size_t i = 0; i < fit.size(); ++i)
    if (!fit[i]) refuse("placement", nb::none(), system, shown_->queue.wholes(0)[chosen_[i]]);
}

// By expected end; ties by start order.
void OwnScheduler::add_running(JobId id, const Job& job) {
  const double* ends = shown_->running.numbers(kExpectedEnd);
  const std::size_t at =
      static_cast<std::size_t>(std::upper_bound(ends, ends + shown_->running.size(), job.expected_end()) - ends);
  row_ = {cell(std::int64_t{job.row}), cell(job.start), cell(job.expected_end()), cell(std::int64_t{job.processors})};
  add_columns(row_, id);
  shown_->running.insert(at, row_);
  started_.insert(started_.begin() + static_cast<std::ptrdiff_t>(at), job.sequence);
}

void OwnScheduler::add_columns(std::vector<ShownTable::Cell>& row, JobId id) const {
  for (const std::size_t place : places_) row.push_back(cell(columns_->at(place, id)));
}

void OwnScheduler::tell(nb::handle hook, const System& system, const Job& job) {
  if (hook.is_none()) return;
  try {
    hook(job.row, system.now());
  } catch (nb::python_error& error) {
    failed(error, system);
  }
}

void OwnScheduler::refuse(const char* what, nb::handle value, const System& system, std::int64_t row) {
  policy_.attr("refuse")(what, value, system.now(), row);
  throw std::logic_error("the policy's answer is wrong");  // the line above has thrown
}

void OwnScheduler::failed(nb::python_error& error, const System& system) {
  if (!error.matches(PyExc_Exception)) throw error;  // such as KeyboardInterrupt
  policy_.attr("failed")(error.value(), system.now());
  throw std::logic_error("the policy failed");
}

}  // namespace thinktime
