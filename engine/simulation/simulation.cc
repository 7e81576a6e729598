#include "simulation/simulation.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace thinktime {
namespace {

// Moves items k with leaves(k) to the end of another list; both keep their order.
template <class Item, class Leaves>
void move_out(std::vector<Item>& items, std::vector<Item>& taken, Leaves leaves) {
  std::vector<Item> kept;
  for (std::size_t k = 0; k < items.size(); ++k) (leaves(k) ? taken : kept).push_back(std::move(items[k]));
  items = std::move(kept);
}

}  // namespace

Simulation::Simulation(SystemState state, Rules rules, std::unique_ptr<Scheduler> scheduler, UserModel& users)
    : Control(state_),
      rules_(rules),
      state_(std::move(state)),
      scheduler_(std::move(scheduler)),
      users_(users),
      decisions_(rules.keep_decisions) {
  state_.set_actions(*this, scheduler_->requeues());
  if (cluster() && rules.same_instant == SameInstant::each_submit_first)
    throw std::invalid_argument("nodes are not free before the end that frees them: choose another same_instant");
}

std::vector<std::uint32_t> Simulation::add_shapes(std::span<const Amount> units) {
  const std::vector<std::uint32_t> numbers = cluster()->add_shapes(units);
  state_.capacity_changed();
  return numbers;
}

JobId Simulation::add(const Request& request) {
  const Time full = request.run / rules_.speed;
  Job job{.submit = request.submit,
          .duration = full,
          .estimate = request.estimate,
          .length = request.estimate,
          .processors = request.processors,
          .row = request.row};
  job.killed = rules_.overrun == Overrun::kill && !state_.level() && full > request.estimate;
  if (job.killed) job.duration = request.estimate;
  if (rules_.overrun == Overrun::extend) job.length = std::max(request.estimate, full);
  const JobId id = state_.add(job);
  if (id < aborted_.size()) aborted_[id] = 0;
  if (state_.level()) state_.level()->add(id);
  return id;
}

void Simulation::add_plugins(std::vector<std::unique_ptr<Plugin>> plugins) {
  // Skip calendar changes before the first submission.
  if (cluster()) calendar_change_ = cluster()->calendar().next_change(first_submission());
  if (plugins.empty()) return;
  plugins_ = std::make_unique<Plugins>(static_cast<Control&>(*this), std::move(plugins));
  state_.set_hooks(plugins_.get());
  plugins_->begin();
}

// If the log is read in blocks and none of its jobs is planned yet, no job is submitted before the horizon.
Time Simulation::first_submission() const {
  const Time first = users_.next() == kNever ? users_.horizon() : users_.next();
  return first == kNever ? -kNever : first;
}

// --- instants and rounds

Time Simulation::next() const {
  if (interrupted_) return state_.now();
  Time instant = std::min({state_.next_end(), users_.next(), scheduler_->wake()});
  if (state_.level()) instant = std::min(instant, state_.level()->next());
  if (instant == kNever) instant = scheduler_->idle_wake();
  if (!plugins_ && calendar_change_ == kNever) return instant;
  if (instant == kNever && state_.queue_empty()) return kNever;  // plugins alone do not keep a simulation going
  if (in_vain_ > kMostRoundsInVain) return kNever;
  return std::min({instant, plugins_ ? plugins_->next() : kNever, calendar_change_});
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

bool Simulation::run_for(Time until, double seconds) {
  const auto begin = last_ = Clock::now();
  while (rounds(until, kRoundsBetweenLooks) == kRoundsBetweenLooks)
    if (std::chrono::duration<double>(Clock::now() - begin).count() >= seconds) return false;
  return true;
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

// Counts rounds without running jobs or planned submissions: a job that waits for a node that is never repaired stays
// in the queue, while plugins may act for ever without helping it.
void Simulation::round(Time instant) {
  if (instant != state_.now()) ++statistics_.instants;
  const bool something_left = state_.next_end() != kNever || users_.next() != kNever;
  in_vain_ = something_left ? 0 : in_vain_ + 1;
  state_.set_now(instant);
  interrupted_ = !happen();
  if (interrupted_) return;
  if (rules_.same_instant == SameInstant::each_submit_first) state_.count_ends_now();
  if (plugins_) plugins_->before_pass(), state_.values().settle();
  pass();
  if (plugins_) plugins_->after_pass();
  if (rules_.keep_timeline) timeline_.record(state_.row());
}

bool Simulation::happen() {
  if (rules_.same_instant != SameInstant::batch) {
    one_event();
    return true;
  }
  while (end_due()) end_one();
  while (return_due()) return_one();
  act();
  while (known(state_.now()) && submission_due()) submit_one();
  return known(state_.now());
}

void Simulation::one_event() {
  if (rules_.same_instant == SameInstant::each_submit_first && submission_due()) return submit_one();
  if (end_due()) return end_one();
  if (return_due()) return return_one();
  if (plugin_due() || calendar_due()) return act();
  if (rules_.same_instant == SameInstant::each_end_first && submission_due()) submit_one();
}

// --- events

void Simulation::end_one() {
  const JobId id = state_.pop_end();
  Job& job = state_.job(id);
  if (plugins_) plugins_->ending(id);
  state_.release(id);
  job.state = job.killed ? State::killed : State::completed;
  ++statistics_.events;
  scheduler_->ended(state_, id);
  if (plugins_) plugins_->ended(id);
  state_.restore_size(id);
  if (state_.level()) state_.level()->end(id);
  leave(id);
}

// A running job returns cores that have nothing more to do.
void Simulation::return_one() {
  const GivenBack given = state_.shrink_one();
  ++statistics_.events;
  scheduler_->shrunk(state_, given);
  if (plugins_) plugins_->shrunk(given);
}

// Plugins whose time has come, and the calendar's change.
void Simulation::act() {
  if (plugin_due()) plugins_->act(state_.now());
  if (!calendar_due()) return;
  scheduler_->changed(state_);
  calendar_change_ = cluster()->calendar().next_change(state_.now());
}

void Simulation::submit_one() {
  const JobId id = users_.submit();
  state_.prefetch(users_.upcoming());
  state_.prefetch(users_.just_planned());
  Job& job = state_.job(id);
  job.submit = state_.now();
  ++statistics_.events;
  if (!state_.holds(id) || !scheduler_->admits(state_, id) || (plugins_ && !plugins_->admits(id))) {
    job.state = State::rejected;
    return leave(id);
  }
  state_.join(id);
  scheduler_->submitted(state_, id);
  if (plugins_) plugins_->submitted(id);
}

void Simulation::leave(JobId id) {
  users_.ended(state_.table(), id, state_.now());
  if (!rules_.keep_jobs) finished_.push_back(id);
}

void Simulation::forget_finished() {
  for (const JobId id : finished_) state_.recycle(id);
  finished_.clear();
}

void Simulation::give_up() {
  std::vector<JobId> left;
  for (JobId id = 0; id < state_.jobs(); ++id)
    if (state_.job(id).state >= State::pending) left.push_back(id);
  std::ranges::sort(left, {}, [&](JobId id) { return state_.job(id).row; });
  finished_.insert(finished_.end(), left.begin(), left.end());
}

Simulation::RunsTaken Simulation::take_runs() {
  RunsTaken taken;
  std::vector<bool> over(state_.jobs(), false);
  for (const JobId id : finished_) over[id] = true;
  std::vector<bool> moved(attempts_.size());
  for (std::size_t k = 0; k < attempts_.size(); ++k) moved[k] = over[attempts_[k].job];
  move_out(attempts_, taken.attempts, [&](std::size_t k) { return moved[k]; });
  if (ApplicationLevel* level = state_.level()) {
    move_out(level->aborted(), taken.inside, [&](std::size_t k) { return moved[k]; });
    auto& early = level->early_returns();
    move_out(early, taken.early, [&](std::size_t k) { return over[early[k].job]; });
  }
  return taken;
}

void Simulation::load_plugin(std::size_t plugin, std::span<const JobId> jobs, const Plan& numbers) {
  if (!plugins_ || plugin >= plugins_->all().size()) throw std::out_of_range("there is no such plugin");
  plugins_->loaded(plugin, jobs, numbers);
}

// --- what plugins and schedulers may do

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
  state_.capacity_changed();
  if (cluster()) calendar_change_ = cluster()->calendar().next_change(state_.now());
  scheduler_->changed(state_);
}

void Simulation::abort(JobId id, Fate fate, Time saved, Time restart) {
  Job& job = state_.job(id);
  if (plugins_) plugins_->ending(id);
  state_.withdraw_end(id);
  state_.release(id);
  if (aborted_.size() <= id) aborted_.resize(id + 1);
  ++aborted_[id];
  scheduler_->ended(state_, id);
  if (plugins_) plugins_->ended(id);
  state_.restore_size(id);
  const bool lost = fate != Fate::requeued;
  attempts_.push_back({id, job.start, state_.now(), job.processors, cluster() ? cluster()->started_on(id) : Placement{},
                       fate, lost ? 0 : saved});
  if (ApplicationLevel* level = state_.level())
    level->abort(id, job, job.start + state_.overhead(id), state_.now(), attempts_.back().saved, lost);
  if (rules_.same_instant == SameInstant::each_submit_first) state_.count_ends_now();
  lost ? lose(id) : requeue(id, saved, restart);
}

void Simulation::reject(JobId id) {
  state_.leave_queue(id);
  state_.job(id).state = State::rejected;
  if (ApplicationLevel* level = state_.level()) level->forget_cores(id);
  leave(id);
}

void Simulation::lose(JobId id) {
  Job& job = state_.job(id);
  job.duration = state_.now() - job.start;
  job.end = state_.now();
  job.state = State::killed;
  scheduler_->changed(state_);
  leave(id);
}

void Simulation::requeue(JobId id, Time saved, Time restart) {
  Job& job = state_.job(id);
  const Time done = state_.overhead(id) + saved;
  const bool starts_over = state_.level() && !state_.level()->goes_on(id);
  const Time left = starts_over ? state_.level()->played(id).each : std::max(0.0, job.duration - done);
  job.duration = left + restart;
  job.length = std::max(0.0, job.length - done) + restart;
  state_.set_overhead(id, restart);
  job.start = job.end = kNever;
  state_.rejoin(id);
  scheduler_->submitted(state_, id);
  scheduler_->changed(state_);
}

Inside Simulation::spent(JobId id) {
  const Job& job = state_.job(id);
  return state_.level()->spent(id, job, job.start + state_.overhead(id), state_.now());
}

void Simulation::finish() {
  if (plugins_) plugins_->finish();
}

// --- passes and their real time

void Simulation::pass() {
  if (decisions_.timed(statistics_.passes++)) return timed_pass();
  scheduler_->pass(state_);
}

void Simulation::timed_pass() {
  const std::int64_t queued_jobs = state_.queued_jobs();
  const auto begin = Clock::now();
  scheduler_->pass(state_);
  const auto end = Clock::now();
  const std::chrono::duration<double> deciding = end - begin, rest = begin - last_;
  const double rest_s = rules_.keep_decisions ? rest.count() : 0.0;
  decisions_.add({state_.now(), queued_jobs, deciding.count(), rest_s, memory(end)});
  last_ = end;
}

std::int64_t Simulation::memory(Clock::time_point now) {
  const bool due =
      decisions_.count() == 0 || std::chrono::duration<double>(now - memory_at_).count() >= kSecondsBetweenMemory;
  if (!rules_.memory || !due) return memory_bytes_;
  memory_at_ = now;
  return memory_bytes_ = rules_.memory();
}

}  // namespace thinktime
