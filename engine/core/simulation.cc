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
  job.killed = rules_.overrun == Overrun::kill && !system_.level_ && full > request.estimate;
  if (job.killed) job.duration = request.estimate;
  if (rules_.overrun == Overrun::extend) job.length = std::max(request.estimate, full);
  const JobId id = system_.jobs_.add(job);
  if (system_.level_) system_.level_->add(id);
  return id;
}

std::vector<std::uint32_t> Simulation::add_shapes(std::span<const Amount> units) {
  const std::vector<std::uint32_t> numbers = cluster()->add_shapes(units);
  system_.machine_.set_free(cluster()->most_free());
  return numbers;
}

Time Simulation::next() const {
  Time instant = std::min({system_.ends_.next(), users_.next(), scheduler_->wake()});
  if (system_.level_) instant = std::min(instant, system_.level_->next());
  if (instant == kNever) instant = scheduler_->idle_wake();
  if (!plugins_ && change_ == kNever) return instant;
  if (instant == kNever && system_.queued_jobs_ == 0) return kNever;  // plugins alone do not go on
  if (in_vain_ > kMostRoundsInVain) return kNever;
  return std::min({instant, plugins_ ? plugins_->next() : kNever, change_});
}

bool Simulation::step() {
  last_ = Clock::now();
  const Time instant = next();
  if (!known(instant)) return false;
  round(instant);
  return true;
}

std::uint64_t Simulation::run(Time until, std::uint64_t max_rounds) {
  last_ = Clock::now();
  return rounds(until, max_rounds);
}

std::uint64_t Simulation::rounds(Time until, std::uint64_t most) {
  std::uint64_t made = 0;
  for (; made < most; ++made) {
    const Time instant = next();
    if (instant > until || !known(instant)) break;
    round(instant);
  }
  return made;
}

bool Simulation::run_for(Time until, double seconds) {
  const auto begin = last_ = Clock::now();
  while (rounds(until, kRoundsBetweenLooks) == kRoundsBetweenLooks)
    if (std::chrono::duration<double>(Clock::now() - begin).count() >= seconds) return false;
  return true;
}

// A job that waits for a node that will never be repaired stays in the queue: nothing else is left, or only plugins that
// act again and again and help nobody.
void Simulation::round(Time instant) {
  if (instant != system_.now_) ++statistics_.instants;
  const bool something_left = system_.ends_.next() != kNever || users_.next() != kNever;
  in_vain_ = something_left ? 0 : in_vain_ + 1;
  system_.now_ = instant;
  happen();
  if (rules_.same_instant == SameInstant::each_submit_first) count_what_ends_now();
  if (plugins_) plugins_->before_pass(), system_.values().settle();
  pass();
  if (plugins_) plugins_->after_pass();
  if (rules_.keep_timeline) timeline_.record(row());
}

void Simulation::happen() {
  switch (rules_.same_instant) {
    case SameInstant::batch:
      while (end_due()) end_one();
      while (gift_due()) give_back_one();
      act();
      while (submission_due()) submit_one();
      break;
    case SameInstant::each_submit_first:
      if (submission_due()) return submit_one();
      if (end_due()) return end_one();
      if (gift_due()) return give_back_one();
      act();
      break;
    case SameInstant::each_end_first:
      if (end_due()) return end_one();
      if (gift_due()) return give_back_one();
      if (plugin_due() || calendar_due()) return act();
      if (submission_due()) submit_one();
      break;
  }
}

// Plugins whose time has come, and what the calendar says.
void Simulation::act() {
  if (plugin_due()) plugins_->act(system_.now_);
  if (!calendar_due()) return;
  scheduler_->changed(system_);
  change_ = cluster()->calendar().next_change(system_.now_);
}

void Simulation::end_one() {
  const JobId id = system_.ends_.pop();
  Job& job = system_.jobs_[id];
  if (plugins_) plugins_->ending(id);
  release(id);
  job.state = job.killed ? State::killed : State::completed;
  ++statistics_.events;
  scheduler_->ended(system_, id);
  if (plugins_) plugins_->ended(id);
  whole_again(id);
  if (system_.level_) system_.level_->end(id);
  leave(id);
}

// Of its processors it may have given some back: so many it has asked for.
void Simulation::whole_again(JobId id) {
  if (system_.level_) system_.jobs_[id].processors += system_.level_->played(id).given_back;
}

// Cores of a job that have nothing more to do.
void Simulation::give_back_one() {
  const GivenBack given = system_.level_->give_back(cluster());
  system_.jobs_[given.job].processors -= given.processors;
  system_.used_processors_ -= given.processors;
  system_.give_some(given);
  ++statistics_.events;
  scheduler_->shrunk(system_, given);
  if (plugins_) plugins_->shrunk(given);
}

void Simulation::release(JobId id) {
  const Processors processors = system_.jobs_[id].processors;
  system_.give(id, processors);
  --system_.running_jobs_;
  system_.used_processors_ -= processors;
}

void Simulation::submit_one() {
  const JobId id = users_.submit();
  fetch(users_.upcoming());
  fetch(users_.just_planned());
  Job& job = system_.jobs_[id];
  job.submit = system_.now_;
  ++statistics_.events;
  if (!system_.holds(id) || !scheduler_->admits(system_, id) || (plugins_ && !plugins_->admits(id))) {
    job.state = State::rejected;
    return leave(id);
  }
  job.sequence = system_.joins_++;
  join(id);
  if (plugins_) plugins_->submitted(id);
}

void Simulation::join(JobId id) {
  Job& job = system_.jobs_[id];
  job.state = State::queued;
  ++system_.queued_jobs_;
  system_.queued_processors_ += job.processors;
  scheduler_->submitted(system_, id);
}

void Simulation::abort(JobId id, Fate fate, Time saved, Time restart) {
  Job& job = system_.jobs_[id];
  plugins_->ending(id);
  system_.ends_.remove(id);
  release(id);
  if (aborted_.size() <= id) aborted_.resize(id + 1);
  ++aborted_[id];
  scheduler_->ended(system_, id);
  plugins_->ended(id);
  whole_again(id);
  attempts_.push_back({job.row, job.start, system_.now_, job.processors,
                       cluster() ? cluster()->started_on(id) : Placement{}, fate, fate == Fate::lost ? 0 : saved});
  if (system_.level_)
    system_.level_->abort(id, job, job.start + overhead(id), system_.now_, attempts_.back().saved, fate == Fate::lost);
  if (fate == Fate::lost) {
    job.duration = system_.now_ - job.start;
    job.end = system_.now_;
    job.state = State::killed;
    scheduler_->changed(system_);
    return leave(id);
  }
  const Time done = system_.overhead_[id] + saved;
  const bool starts_over = system_.level_ && !system_.level_->goes_on(id);
  const Time left = starts_over ? system_.level_->played(id).each : std::max(0.0, job.duration - done);
  job.duration = left + restart;
  job.length = std::max(0.0, job.length - done) + restart;
  system_.overhead_[id] = restart;
  job.start = job.end = kNever;
  job.sequence = system_.joined_[id];
  join(id);
  scheduler_->changed(system_);
}

Time Simulation::worked(JobId id) const {
  return std::max(0.0, system_.now_ - system_.jobs_[id].start - overhead(id));
}

void Simulation::running_on(NodeId node, std::vector<JobId>& jobs) const {
  for (const End& end : system_.ends_.entries())
    each_node(system_.cluster()->placement(end.job()), [&](NodeId at, Processors) {
      if (at == node) jobs.push_back(end.job());
    });
  std::sort(jobs.begin(), jobs.end(),
            [&](JobId a, JobId b) { return system_.jobs_[a].sequence < system_.jobs_[b].sequence; });
}

void Simulation::close(NodeId node, bool broken) {
  cluster()->close(node);
  if (plugins_) plugins_->closed(node, broken);
  changed();
}

void Simulation::open(NodeId node, bool broken) {
  cluster()->open(node);
  if (plugins_) plugins_->opened(node, broken);
  changed();
}

void Simulation::changed() {
  if (cluster()) {
    system_.machine_.set_free(cluster()->most_free());
    change_ = cluster()->calendar().next_change(system_.now_);
  }
  scheduler_->changed(system_);
}

void Simulation::add_plugins(std::vector<std::unique_ptr<Plugin>> plugins) {
  // What changes before the first submission matters to nobody.
  if (cluster()) change_ = cluster()->calendar().next_change(users_.next() == kNever ? -kNever : users_.next());
  if (plugins.empty()) return;
  plugins_ = std::make_unique<Plugins>(*this, std::move(plugins));
  system_.hooks_ = plugins_.get();
  plugins_->begin();
}

void Simulation::finish() {
  if (plugins_) plugins_->finish();
}

void Simulation::pass() {
  if (statistics_.passes++ % kTimedEvery == 0 || rules_.keep_decisions) return timed_pass();
  scheduler_->pass(system_);
}

void Simulation::timed_pass() {
  const std::int64_t queued_jobs = system_.queued_jobs_;
  const auto begin = Clock::now();
  scheduler_->pass(system_);
  const auto end = Clock::now();
  statistics_.timed_s += std::chrono::duration<double>(end - begin).count();
  ++statistics_.timed_passes;
  if (rules_.keep_decisions) keep_decision(queued_jobs, begin, end);
}

void Simulation::keep_decision(std::int64_t queued_jobs, Clock::time_point begin, Clock::time_point end) {
  const std::chrono::duration<double> deciding = end - begin, rest = begin - last_;
  const bool ask = rules_.memory && decisions_.size() % kPassesBetweenMemory == 0;
  const std::int64_t bytes = ask ? rules_.memory() : decisions_.empty() ? 0 : decisions_.back().memory_bytes;
  decisions_.push_back({system_.now_, queued_jobs, deciding.count(), rest.count(), bytes});
  last_ = end;
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
