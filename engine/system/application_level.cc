#include "system/application_level.h"

#include <algorithm>

namespace thinktime {

void ApplicationLevel::add(JobId id) {
  if (id >= jobs_.size()) jobs_.resize(id + 1);
  jobs_[id] = {};
  if (id < idling_.size()) idling_[id] = {};
  if (id < variants_.size()) variants_[id] = 0;
}

void ApplicationLevel::set_variant(JobId id, std::uint32_t variant) {
  if (id >= variants_.size()) variants_.resize(id + 1);
  variants_[id] = variant;
}

void ApplicationLevel::start(JobId id, Job& job, Time begin, Time restart, const Cluster* cluster) {
  take_cores(id, job, cluster);
  if (rules_.early && id >= idling_.size()) idling_.resize(id + 1);
  if (!jobs_[id].done) play(id, job, begin, restart);  // otherwise it continues, and its duration is known
  if (rules_.early) idling_[id].cores = taken_;
}

void ApplicationLevel::take_cores(JobId id, const Job& job, const Cluster* cluster) {
  Played& played = jobs_[id];
  played.cores_per_unit = cluster ? static_cast<std::uint32_t>(cluster->unit(id)[rules_.core_resource]) : 1;
  taken_.clear();
  const auto on = [&](NodeId node, Processors units) {
    cores_.take(node, static_cast<std::uint32_t>(units) * played.cores_per_unit, taken_);
  };
  cluster ? each_node(cluster->placement(id), on) : on(0, job.processors);
  played.cores = spans_of(taken_);
  first_.clear();
  for (std::size_t k = 0; k < taken_.size(); k += played.cores_per_unit) first_.push_back(taken_[k]);
}

void ApplicationLevel::play(JobId id, Job& job, Time begin, Time restart) {
  Played& played = jobs_[id];
  const Time limit = this->limit(job);
  if (!played.interrupted) played.each = job.duration;
  played.inside = application_->play({job.row, job.processors, played.each, variant(id)}, begin, first_, limit);
  played.done = true;
  if (const std::span<const Time> idle = application_->idle_from(); rules_.early)
    idling_[id].idle_from.assign(idle.begin(), idle.end());
  job.duration = std::min(played.inside.duration, limit) + restart;
  job.killed = played.inside.cut || played.inside.duration > limit;
}

Inside ApplicationLevel::by(JobId id, const Job& job, std::span<const CoreSpan> on, Time begin, Time time) {
  const Played& played = jobs_[id];
  first_.clear();
  std::uint32_t place = 0;
  for (const CoreSpan& span : on)
    for (Core core = span.first; core < span.first + span.cores; ++core)
      if (place++ % played.cores_per_unit == 0) first_.push_back(core);
  const auto processors = static_cast<Processors>(first_.size());
  return application_->play({job.row, processors, played.each, variant(id)}, begin, first_, std::min(time, limit(job)));
}

void ApplicationLevel::abort(JobId id, const Job& job, Time begin, Time now, Time saved, bool lost) {
  Played& played = jobs_[id];
  free_cores(id);
  played.given_back = 0;
  if (rules_.early) {
    Idling& idling = idling_[id];
    if (!idling.units.empty()) early_.remove(id);
    idling.units.clear();
    ++idling.run;
  }
  if (!played.interrupted) played.interrupted = std::make_unique<Interrupted>();
  Interrupted& history = *played.interrupted;
  if (history.from == 0) history.begin = begin, history.on = played.cores;
  const Inside run = of_run(id, job, begin, now);
  aborted_.push_back({begin, history.from, run, played.cores, played.cores_per_unit});
  history.before.add(run);
  history.lost = lost;
  history.from += saved;
  if (saved > 0) history.skipped = by(id, job, history.on, history.begin, history.from);
  played.done = history.from > 0;
}

Inside ApplicationLevel::of_run(JobId id, const Job& job, Time begin, Time until) {
  const Played& played = jobs_[id];
  const Time worked = std::max(0.0, until - begin);
  const bool goes_on = played.interrupted && played.interrupted->from > 0;
  Inside run = goes_on
                   ? by(id, job, played.interrupted->on, played.interrupted->begin, played.interrupted->from + worked)
                   : by(id, job, played.cores, begin, worked);
  return with_others(run, played, job, std::min(begin, until));
}

Inside ApplicationLevel::with_others(Inside run, const Played& played, const Job& job, Time begin) {
  if (played.interrupted) run.add(played.interrupted->skipped, -1);
  run.overhead_s += (job.processors + played.given_back) * (begin - job.start);
  return run;
}

Inside ApplicationLevel::spent(JobId id, const Job& job, Time begin, Time now) {
  const Played& played = jobs_[id];
  const Inside before = played.interrupted ? played.interrupted->before : Inside{};
  const bool ended = job.state <= State::killed && !(played.interrupted && played.interrupted->lost);
  if (!ended && job.state != State::running) return before;
  Inside all = ended ? with_others(played.inside, played, job, begin) : of_run(id, job, begin, now);
  all.add(before);
  return all;
}

void ApplicationLevel::started(JobId id, const Job& job, Time begin) {
  if (!rules_.early) return;
  Idling& idling = idling_[id];
  const Time done = jobs_[id].interrupted ? jobs_[id].interrupted->from : 0;
  idling.order = job.sequence;
  for (std::uint32_t unit = 0; unit < idling.idle_from.size(); ++unit)
    if (const Time at = begin + std::max(0.0, idling.idle_from[unit] - done); at < job.end)
      idling.units.emplace_back(at, unit);
  std::ranges::sort(idling.units, std::greater());
  if (!idling.units.empty()) early_.push({idling.units.back().first, idling.order, id});
}

GivenBack ApplicationLevel::give_back(const Cluster* cluster) {
  const Time now = early_.next();
  GivenBack given{early_.pop(), 0, {}};
  Idling& idling = idling_[given.job];
  for (; !idling.units.empty() && idling.units.back().first == now; idling.units.pop_back())
    give(given.job, idling.units.back().second, cluster, given);
  jobs_[given.job].given_back += given.processors;
  if (!idling.units.empty()) early_.push({idling.units.back().first, idling.order, given.job});
  return given;
}

void ApplicationLevel::give(JobId id, std::uint32_t unit, const Cluster* cluster, GivenBack& given) {
  const std::size_t each = jobs_[id].cores_per_unit;
  Core* const cores = &idling_[id].cores[unit * each];
  early_returns_.push_back({id, idling_[id].run, idling_[id].units.back().first, cores[0]});
  if (cluster) put(given.placement, cores_.node(cores[0]), 1);
  for (std::size_t k = 0; k < each; ++k) {
    cores_.give(cores[k]);
    cores[k] = kGone;
  }
  ++given.processors;
}

void ApplicationLevel::end(JobId id) {
  free_cores(id);
  jobs_[id].given_back = 0;
  if (rules_.early) idling_[id] = {};
}

void ApplicationLevel::free_cores(JobId id) {
  if (rules_.early) {
    for (const Core core : idling_[id].cores)
      if (core != kGone) cores_.give(core);
    return;
  }
  for (const CoreSpan& span : jobs_[id].cores)
    for (Core core = span.first; core < span.first + span.cores; ++core) cores_.give(core);
}

}  // namespace thinktime
