#include "binding/own_scheduler.h"

#include <nanobind/stl/string.h>

#include <algorithm>

namespace nb = nanobind;

namespace thinktime {
namespace {

// After this many wakes without running jobs or submissions, or requeues without an end or a submission, the policy
// will never complete a job.
constexpr std::uint32_t kMostInVain = 100'000;

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
      columns_(options.columns()),
      answer_(policy_, *shown_),
      when_empty_(options.flag("when_empty", false)) {
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
  if (!acting_) requeues_in_vain_ = 0;
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
  remove_running(id, system.job(id));
  ++shown_->changes;
  wakes_in_vain_ = 0;
  if (!acting_) requeues_in_vain_ = 0;
  tell(ended_, system, system.job(id));
}

void OwnScheduler::shrunk(const System& system, const GivenBack& given) {
  remove_running(given.job, system.job(given.job));
  add_running(given.job, system.job(given.job));
  ++shown_->changes;
  wakes_in_vain_ = 0;
}

void OwnScheduler::remove_running(JobId id, const Job& job) {
  const double* ends = shown_->running.numbers(kExpectedEnd);
  const std::size_t n = shown_->running.size();
  std::size_t at = static_cast<std::size_t>(std::lower_bound(ends, ends + n, job.expected_end()) - ends);
  while (shown_->runs[at] != id) ++at;
  shown_->running.erase(at);
  shown_->runs.erase(shown_->runs.begin() + static_cast<std::ptrdiff_t>(at));
}

void OwnScheduler::pass(System& system) {
  note_wake(system);
  if (shown_->waiting.empty() && !when_empty_) return;
  shown_->begin_pass();
  answer_.read(system, asked(system));  // released before the tables change, because it may be a slice of one
  wake_ = shown_->wake;
  if (!shown_->actions.empty()) act(system);
  start_chosen(system);
}

void OwnScheduler::waiting(const System&, std::vector<JobId>& jobs) const {
  jobs.insert(jobs.end(), shown_->waiting.begin(), shown_->waiting.end());
}

// Clears a wake that is due.
void OwnScheduler::note_wake(const System& system) {
  if (shown_->wake > system.now()) return;
  wake_ = shown_->wake = kNever;
  if (!shown_->waiting.empty() && shown_->runs.empty() && ++wakes_in_vain_ > kMostInVain)
    answer_.refuse("wakes", nb::int_(wakes_in_vain_), system, shown_->queue.wholes(0)[0]);
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

// Rejections, kills and requeues, in the order in which the policy asked for them.
void OwnScheduler::act(System& system) {
  acting_ = true;
  for (const Action& action : shown_->actions) {
    note(action, system.now());
    switch (action.kind) {
      case Action::Kind::reject: reject(system, action.job); break;
      case Action::Kind::kill: system.actions().abort(action.job, Fate::killed, 0, 0); break;
      case Action::Kind::requeue: requeue(system, action); break;
    }
  }
  acting_ = false;
  for (Start& start : answer_.starts())
    start.place = place_of(system, system.job(start.job));  // jobs have come and gone
}

void OwnScheduler::note(const Action& action, Time now) {
  log_.push_back({action.job, now, action.kind, action.reason});
  std::vector<std::uint64_t>& counts = counts_[static_cast<std::size_t>(action.kind)];
  if (counts.size() <= action.reason) counts.resize(action.reason + 1);
  ++counts[action.reason];
}

std::vector<OwnScheduler::Done> OwnScheduler::take_log(const std::vector<JobId>& jobs) {
  std::vector<JobId> sorted = jobs;
  std::ranges::sort(sorted);
  const auto mine = std::ranges::stable_partition(
      log_, [&](const Done& done) { return !std::ranges::binary_search(sorted, done.job); });
  std::vector<Done> taken(mine.begin(), mine.end());
  log_.erase(mine.begin(), mine.end());
  return taken;
}

void OwnScheduler::reject(System& system, JobId id) {
  const std::size_t place = place_of(system, system.job(id));
  shown_->queue.erase(place);
  shown_->waiting.erase(shown_->waiting.begin() + static_cast<std::ptrdiff_t>(place));
  system.actions().reject(id);
}

void OwnScheduler::requeue(System& system, const Action& action) {
  if (++requeues_in_vain_ > kMostInVain)
    answer_.refuse("requeues", nb::int_(requeues_in_vain_), system, system.job(action.job).row);
  system.actions().abort(action.job, Fate::requeued, action.saved, action.restart);
}

void OwnScheduler::start_chosen(System& system) {
  if (answer_.starts().empty()) return;
  ++shown_->changes;
  mark_.assign(shown_->waiting.size(), 0);
  std::size_t started = 0;
  for (const Start& start : answer_.starts()) {
    if (!has_room(system, start)) continue;  // a plugin does not allow it now: it keeps waiting
    system.start(start.job);
    mark_[start.place] = 1;
    add_running(start.job, system.job(start.job));
    ++started;
  }
  if (started == 0) return;
  shown_->queue.erase_marked(mark_, started);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < shown_->waiting.size(); ++i)
    if (!mark_[i]) shown_->waiting[kept++] = shown_->waiting[i];
  shown_->waiting.resize(kept);
}

bool OwnScheduler::has_room(System& system, const Start& start) {
  if (start.nodes.empty()) return system.has_room(start.job);
  Cluster& cluster = *system.cluster();
  if (!cluster.is_free(start.job, start.nodes)) return false;
  cluster.found() = start.nodes;
  return system.allowed(start.job);
}

// By expected end; ties by start order.
void OwnScheduler::add_running(JobId id, const Job& job) {
  const double* ends = shown_->running.numbers(kExpectedEnd);
  const std::size_t at =
      static_cast<std::size_t>(std::upper_bound(ends, ends + shown_->running.size(), job.expected_end()) - ends);
  row_ = {cell(std::int64_t{job.row}), cell(job.start), cell(job.expected_end()), cell(std::int64_t{job.processors})};
  add_columns(row_, id);
  shown_->running.insert(at, row_);
  shown_->runs.insert(shown_->runs.begin() + static_cast<std::ptrdiff_t>(at), id);
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

void OwnScheduler::failed(nb::python_error& error, const System& system) {
  if (!error.matches(PyExc_Exception)) throw error;  // such as KeyboardInterrupt
  policy_.attr("failed")(error.value(), system.now());
  throw std::logic_error("the policy failed");
}

}  // namespace thinktime
