// What a simulation gives back to Python: columns of jobs, spans of nodes, timeline, reports.
#include <algorithm>
#include <limits>
#include <numeric>

#include "binding/applications.h"
#include "binding/checks.h"
#include "binding/run.h"

namespace nb = nanobind;

namespace thinktime {
namespace {

double nan_if_never(Time time) { return time == kNever ? std::numeric_limits<double>::quiet_NaN() : time; }

// Spans of nodes as columns, each with the place of its job (or run) under `name`.
struct SpanRow {
  std::int64_t of;
  Span span;
};

void put_spans(Columns& out, const char* name, const std::vector<SpanRow>& rows) {
  const auto column = [&](auto get) {
    return array_of<std::int64_t>(rows.size(), [&](std::size_t i) { return std::int64_t{get(rows[i])}; });
  };
  out[name] = column([](const SpanRow& row) { return row.of; });
  out["first"] = column([](const SpanRow& row) { return row.span.first; });
  out["nodes"] = column([](const SpanRow& row) { return row.span.nodes; });
  out["units"] = column([](const SpanRow& row) { return row.span.units; });
}

// One column of `rows`: get(row) for each.
template <class Row, class Get>
auto column_of(const std::vector<Row>& rows, Get get) {
  using Value = decltype(get(rows[0]));
  return array_of<Value>(rows.size(), [&](std::size_t i) { return get(rows[i]); });
}

// Aborted runs in order, and their spans of nodes by the number of the run; the row of a job is row_of(job).
template <class RowOf>
Columns attempts_table(const std::vector<Attempt>& all, RowOf row_of) {
  std::vector<SpanRow> rows;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const Span& span : all[i].placement) rows.push_back({static_cast<std::int64_t>(i), span});
  Columns out;
  out["row"] = column_of(all, [&](const Attempt& run) { return row_of(run.job); });
  out["start_s"] = column_of(all, [](const Attempt& run) { return run.start; });
  out["end_s"] = column_of(all, [](const Attempt& run) { return run.end; });
  out["processors"] = column_of(all, [](const Attempt& run) { return std::int64_t{run.processors}; });
  out["lost"] = column_of(all, [](const Attempt& run) { return static_cast<std::int64_t>(run.fate); });
  out["saved_s"] = column_of(all, [](const Attempt& run) { return run.saved; });
  put_spans(out, "attempt", rows);
  return out;
}

// Rejections, kills and requeues by a scheduler in Python; the row of a job is row_of(action).
template <class RowOf>
Columns actions_table(const std::vector<OwnScheduler::Done>& all, RowOf row_of) {
  using Done = OwnScheduler::Done;
  Columns out;
  out["row"] = column_of(all, row_of);
  out["time_s"] = column_of(all, [](const Done& done) { return done.time; });
  out["action"] = column_of(all, [](const Done& done) { return static_cast<std::int64_t>(done.kind); });
  out["reason"] = column_of(all, [](const Done& done) { return std::int64_t{done.reason}; });
  return out;
}

Columns decisions_table(const std::vector<Decision>& rows) {
  Columns out;
  out["time_s"] = column_of(rows, [](const Decision& pass) { return pass.time; });
  out["queued_jobs"] = column_of(rows, [](const Decision& pass) { return pass.queued_jobs; });
  out["decision_s"] = column_of(rows, [](const Decision& pass) { return pass.seconds; });
  out["rest_s"] = column_of(rows, [](const Decision& pass) { return pass.rest; });
  out["memory_bytes"] = column_of(rows, [](const Decision& pass) { return pass.memory_bytes; });
  return out;
}

Columns columns_of(const Report& report) {
  Columns columns;
  for (const auto& [name, values] : report)
    columns[name.c_str()] = column_of(values, [](double value) { return value; });
  return columns;
}

}  // namespace

std::vector<JobId> Run::all_jobs() const {
  std::vector<JobId> all(rows_);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Output<std::int64_t> Run::rows_of(const std::vector<JobId>& jobs) const {
  return column_of(jobs, [&](JobId id) { return std::int64_t{simulation_.system().job(id).row}; });
}

Output<std::int64_t> Run::queue() const {
  const Turn turn(busy_);
  std::vector<JobId> jobs;
  simulation_.scheduler().waiting(simulation_.system(), jobs);
  return rows_of(jobs);
}

Output<std::int64_t> Run::running() const {
  const Turn turn(busy_);
  std::vector<JobId> jobs;
  simulation_.system().running_by_end(jobs);
  return rows_of(jobs);
}

Output<std::int64_t> Run::node_free() const {
  const Turn turn(busy_);
  if (!simulation_.system().cluster()) throw std::logic_error("a counted machine has no nodes");
  return column_of(simulation_.system().cluster()->nodes().all_free(), [](Amount amount) { return amount; });
}

Columns Run::jobs() const {
  const Turn turn(busy_);
  if (!keep_jobs_) throw std::logic_error("finished jobs were handed out: with keep_jobs=False none are kept");
  const std::vector<JobId> all = all_jobs();
  Columns out = columns(all);
  if (simulation_.plugins() || !simulation_.attempts().empty())
    out["overhead_s"] = column_of(all, [&](JobId id) { return simulation_.system().overhead(id); });
  return out;
}

nb::dict Run::take_finished(bool last) {
  const Turn turn(busy_);
  if (last) simulation_.finish(), simulation_.give_up();
  const std::vector<JobId> finished = simulation_.finished();
  nb::dict out = columns(finished);
  if (streamed_)
    out["session"] = column_of(finished, [&](JobId id) { return static_cast<double>(streamed_->session(id)); });
  for (std::size_t k = 0; k < labels_.size(); ++k)
    out[nb::int_(k)] = column_of(finished, [&](JobId id) { return labels_[k][id]; });
  if (simulation_.cluster()) out["placements"] = spans(finished);
  if (const ApplicationLevel* level = simulation_.system().level()) {
    out["inside"] = inside_of(simulation_, finished);
    out["cores"] = cores_of(*level, finished);
  }
  if (simulation_.plugins() || own_scheduler()) {
    out["overhead_s"] = column_of(finished, [&](JobId id) { return simulation_.system().overhead(id); });
  }
  if (simulation_.plugins()) out["reports"] = take_reports(finished, last);
  put_runs(out, finished);
  simulation_.forget_finished();
  return out;
}

// Aborted runs and early returns of cores of the finished jobs; the row of a job is its place among these.
void Run::put_runs(nb::dict& out, const std::vector<JobId>& finished) {
  const Simulation::RunsTaken taken = simulation_.take_runs();
  if (taken.attempts.empty() && taken.early.empty() && !(own_scheduler() && !own_scheduler()->log().empty())) return;
  std::vector<std::int64_t> place(simulation_.system().jobs());
  for (std::size_t i = 0; i < finished.size(); ++i) place[finished[i]] = static_cast<std::int64_t>(i);
  const auto place_of = [&](JobId id) { return place[id]; };
  out["attempts"] = attempts_table(taken.attempts, place_of);
  if (own_scheduler())
    out["actions"] = actions_table(own_scheduler()->take_log(finished),
                                   [&](const OwnScheduler::Done& done) { return place_of(done.job); });
  if (!simulation_.system().level()) return;
  out["aborted"] = aborted_inside(taken.inside);
  out["aborted_cores"] = aborted_cores(taken.inside);
  out["given_back"] = early_returns(taken.early, place_of);
}

nb::typed<nb::list, Columns> Run::take_reports(const std::vector<JobId>& finished, bool last) {
  nb::typed<nb::list, Columns> all;
  for (const auto& plugin : simulation_.plugins()->all()) {
    Report report;
    plugin->take(report, finished, last);
    if (last) plugin->report(report);
    all.append(columns_of(report));
  }
  return all;
}

Output<double> Run::carried(std::size_t label, const Indices& slots) const {
  if (label >= labels_.size()) return array_of<double>(0, [](std::size_t) { return 0.0; });
  require_between(slots, 0, static_cast<std::int64_t>(labels_[label].size()) - 1, "the slot of a job");
  return array_of<double>(slots.shape(0),
                          [&](std::size_t i) { return labels_[label][static_cast<std::size_t>(slots.data()[i])]; });
}

Columns Run::columns(const std::vector<JobId>& ids) const {
  const System& system = simulation_.system();
  const auto column = [&](auto get) { return column_of(ids, [&](JobId id) { return get(system.job(id)); }); };
  Columns out;
  out["row"] = column([](const Job& job) { return std::int64_t{job.row}; });
  out["submit_s"] = column([](const Job& job) { return nan_if_never(job.submit); });
  out["start_s"] = column([](const Job& job) { return nan_if_never(job.start); });
  out["end_s"] = column([](const Job& job) { return nan_if_never(job.state <= State::killed ? job.end : kNever); });
  out["run_s"] = column([](const Job& job) { return job.duration; });
  out["estimate_s"] = column([](const Job& job) { return job.estimate; });
  out["processors"] =
      column_of(ids, [&](JobId id) { return static_cast<double>(system.job(id).processors + given_back(id)); });
  // Every job that is not over is unfinished.
  out["status"] = column([](const Job& job) { return static_cast<std::uint8_t>(std::min(job.state, State::pending)); });
  return out;
}

// Processors that a running job has returned before its end.
Processors Run::given_back(JobId id) const {
  const System& system = simulation_.system();
  if (!system.level() || system.job(id).state != State::running) return 0;
  return system.level()->played(id).given_back;
}

Columns Run::placements() const {
  const Turn turn(busy_);
  return spans(all_jobs());
}

Columns Run::spans(const std::vector<JobId>& jobs) const {
  std::vector<SpanRow> rows;
  const Cluster* cluster = simulation_.system().cluster();
  for (std::size_t i = 0; cluster && i < jobs.size(); ++i)
    if (simulation_.system().job(jobs[i]).start != kNever)  // an aborted job that waits has no nodes
      for (const Span& span : cluster->started_on(jobs[i])) rows.push_back({static_cast<std::int64_t>(i), span});
  Columns out;
  put_spans(out, "row", rows);
  return out;
}

Columns Run::attempts() const {
  const Turn turn(busy_);
  return attempts_table(simulation_.attempts(), [](JobId id) { return std::int64_t{id}; });  // the slot is the row
}

Columns Run::actions() const {
  const Turn turn(busy_);
  const std::vector<OwnScheduler::Done> none;
  return actions_table(own_scheduler() ? own_scheduler()->log() : none,
                       [](const OwnScheduler::Done& done) { return std::int64_t{done.job}; });  // the slot is the row
}

std::vector<std::vector<std::uint64_t>> Run::action_counts() const {
  return own_scheduler() ? own_scheduler()->counts() : std::vector<std::vector<std::uint64_t>>{};
}

std::vector<std::string> Run::action_reasons() const {
  return own_scheduler() ? own_scheduler()->reasons() : std::vector<std::string>{};
}

nb::typed<nb::dict, nb::str, Columns> Run::inside() {
  const Turn turn(busy_);
  nb::typed<nb::dict, nb::str, Columns> out;
  const ApplicationLevel* level = simulation_.system().level();
  if (!level) return out;
  const std::vector<JobId> all = all_jobs();
  out["inside"] = inside_of(simulation_, all);
  out["cores"] = cores_of(*level, all);
  out["aborted"] = aborted_inside(level->aborted());
  out["aborted_cores"] = aborted_cores(level->aborted());
  out["given_back"] = early_returns(level->early_returns(), [](JobId id) { return id; });  // the slot is the row
  return out;
}

Output<std::int64_t> Run::slots_of(const Indices& rows) const {
  require_between(rows, 0, kMostRows, "the row of a job");
  return array_of<std::int64_t>(rows.shape(0), [&](std::size_t i) {
    const JobId id = simulation_.system().slot_of(static_cast<std::uint32_t>(rows.data()[i]));
    require(id != kNoJob, "the job in row " + std::to_string(rows.data()[i]) + " neither waits nor runs");
    return std::int64_t{id};
  });
}

Columns Run::take_timeline(bool all) {
  const Turn turn(busy_);
  TimelineColumns rows = simulation_.timeline().take(all);
  Columns out;
  out["time_s"] = to_numpy(std::move(rows.time));
  out["queued_jobs"] = to_numpy(std::move(rows.queued_jobs));
  out["queued_processors"] = to_numpy(std::move(rows.queued_processors));
  out["running_jobs"] = to_numpy(std::move(rows.running_jobs));
  out["used_processors"] = to_numpy(std::move(rows.used_processors));
  return out;
}

Columns Run::decisions() const {
  const Turn turn(busy_);
  return decisions_table(simulation_.decisions().rows());
}

Columns Run::take_decisions() {
  const Turn turn(busy_);
  return decisions_table(simulation_.take_decisions());
}

nb::typed<nb::list, Columns> Run::reports() {
  const Turn turn(busy_);
  simulation_.finish();
  nb::typed<nb::list, Columns> all;
  if (!simulation_.plugins()) return all;
  for (const auto& plugin : simulation_.plugins()->all()) {
    Report report;
    plugin->report(report);
    all.append(columns_of(report));
  }
  return all;
}

nb::typed<nb::dict, nb::str, nb::any> Run::statistics() const {
  const Statistics& s = simulation_.statistics();
  const Decisions& decisions = simulation_.decisions();
  const std::uint64_t timed = decisions.count();
  const double each = timed ? decisions.seconds() / static_cast<double>(timed) : 0.0;
  nb::typed<nb::dict, nb::str, nb::any> out;
  out["events"] = s.events;
  out["passes"] = s.passes;
  out["instants"] = s.instants;
  out["decision_s"] = each * static_cast<double>(s.passes);
  out["timed_passes"] = timed;
  return out;
}

}  // namespace thinktime
