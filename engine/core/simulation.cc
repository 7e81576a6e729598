#include "core/simulation.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace thinktime {

Simulation::Simulation(System system, Rules rules, std::unique_ptr<Scheduler> scheduler, UserModel& users)
    : rules_(rules), system_(std::move(system)), scheduler_(std::move(scheduler)), users_(users) {
  if (system_.cluster() && rules.same_instant == SameInstant::each_submit_first)
    throw std::invalid_argument("nodes are not free before the end that frees them: choose another same_instant");
}

JobId Simulation::add(const Request& request) {
  const Time full = request.run / rules_.speed;
  Job job{.submit = request.submit, .duration = full, .estimate = request.estimate, .length = request.estimate,
          .processors = request.processors, .row = request.row};
  job.killed = rules_.overrun == Overrun::kill && full > request.estimate;
  if (job.killed) job.duration = request.estimate;
  if (rules_.overrun == Overrun::extend) job.length = std::max(request.estimate, full);
  return system_.jobs_.add(job);
}

std::uint32_t Simulation::add_shapes(std::span<const Amount> units) {
  const std::uint32_t first = cluster()->add_shapes(units);
  system_.machine_.set_free(cluster()->most_free());
  return first;
}

Time Simulation::next() const {
  const Time instant = std::min({system_.ends_.next(), users_.next(), scheduler_->wake()});
  return instant == kNever ? scheduler_->idle_wake() : instant;
}

bool Simulation::step() {
  const Time instant = next();
  if (!known(instant)) return false;
  round(instant);
  return true;
}

std::uint64_t Simulation::run(Time until, std::uint64_t max_rounds) {
  std::uint64_t rounds = 0;
  for (; rounds < max_rounds; ++rounds) {
    const Time instant = next();
    if (instant > until || !known(instant)) break;
    round(instant);
  }
  return rounds;
}

bool Simulation::run_for(Time until, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  while (run(until, kRoundsBetweenLooks) == kRoundsBetweenLooks)
    if (std::chrono::duration<double>(Clock::now() - begin).count() >= seconds) return false;
  return true;
}

void Simulation::round(Time instant) {
  if (instant != system_.now_) ++statistics_.instants;
  system_.now_ = instant;
  happen();
  if (rules_.same_instant == SameInstant::each_submit_first) count_what_ends_now();
  pass();
  if (rules_.keep_timeline) timeline_.record(row());
}

void Simulation::happen() {
  switch (rules_.same_instant) {
    case SameInstant::batch:
      while (end_due()) end_one();
      while (submission_due()) submit_one();
      break;
    case SameInstant::each_submit_first:
      if (submission_due()) return submit_one();
      if (end_due()) end_one();
      break;
    case SameInstant::each_end_first:
      if (end_due()) return end_one();
      if (submission_due()) submit_one();
      break;
  }
}

void Simulation::end_one() {
  const JobId id = system_.ends_.pop();
  Job& job = system_.jobs_[id];
  system_.give(id, job.processors);
  --system_.running_jobs_;
  system_.used_processors_ -= job.processors;
  job.state = job.killed ? State::killed : State::completed;
  ++statistics_.events;
  scheduler_->ended(system_, id);
  leave(id);
}

void Simulation::submit_one() {
  const JobId id = users_.submit();
  if (users_.upcoming() != kNobody) __builtin_prefetch(&system_.jobs_[users_.upcoming()]);
  Job& job = system_.jobs_[id];
  job.submit = system_.now_;
  ++statistics_.events;
  if (!system_.holds(id) || !scheduler_->admits(system_, id)) {
    job.state = State::rejected;
    return leave(id);
  }
  job.state = State::queued;
  job.sequence = system_.joins_++;
  ++system_.queued_jobs_;
  system_.queued_processors_ += job.processors;
  scheduler_->submitted(system_, id);
}

void Simulation::pass() {
  if (statistics_.passes++ % kTimedEvery == 0 || rules_.keep_decisions) return timed_pass();
  scheduler_->pass(system_);
}

void Simulation::timed_pass() {
  const std::int64_t queued_jobs = system_.queued_jobs_;
  const auto begin = std::chrono::steady_clock::now();
  scheduler_->pass(system_);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  statistics_.timed_s += seconds;
  ++statistics_.timed_passes;
  if (rules_.keep_decisions) decisions_.push_back({system_.now_, queued_jobs, seconds});
}

void Simulation::count_what_ends_now() {
  system_.ending_now_ = 0;
  system_.ends_.each_at(system_.now_, [&](JobId id) {
    const Job& job = system_.jobs_[id];
    if (job.expected_end() <= system_.now_) system_.ending_now_ += job.processors;
  });
}

void Simulation::leave(JobId id) {
  users_.ended(system_.jobs_, id, system_.now_);
  if (!rules_.keep_jobs) finished_.push_back(id);
}

void Simulation::forget_finished() {
  for (const JobId id : finished_) system_.jobs_.recycle(id);
  finished_.clear();
}

TimelineRow Simulation::row() const {
  return {system_.now_, system_.queued_jobs_, system_.queued_processors_, system_.running_jobs_,
          system_.used_processors_};
}

void Simulation::running(std::vector<JobId>& jobs) const {
  std::vector<End> ends = system_.ends_.entries();
  std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.before(b); });
  for (const End& end : ends) jobs.push_back(end.job());
}

}  // namespace thinktime
