#include "applications/level.h"

#include <algorithm>

namespace thinktime {

void ApplicationLevel::add(JobId id) {
  if (id >= jobs_.size()) jobs_.resize(id + 1);
  jobs_[id] = {};
}

void ApplicationLevel::start(JobId id, Job& job, Time begin, const Cluster* cluster) {
  take_cores(id, job, cluster);
  if (rules_.early && id >= idling_.size()) idling_.resize(id + 1);
  if (!jobs_[id].done) play(id, job, begin);  // or it was aborted, and what is left is known
  if (rules_.early) idling_[id].cores = taken_;
}

void ApplicationLevel::take_cores(JobId id, const Job& job, const Cluster* cluster) {
  Played& played = jobs_[id];
  played.cores_a_unit = cluster ? static_cast<std::uint32_t>(cluster->unit(id)[rules_.core_resource]) : 1;
  taken_.clear();
  const auto on = [&](NodeId node, Processors units) {
    cores_.take(node, static_cast<std::uint32_t>(units) * played.cores_a_unit, taken_);
  };
  cluster ? each_node(cluster->placement(id), on) : on(0, job.processors);
  played.cores = spans_of(taken_);
  first_.clear();
  for (std::size_t k = 0; k < taken_.size(); k += played.cores_a_unit) first_.push_back(taken_[k]);
}

void ApplicationLevel::play(JobId id, Job& job, Time begin) {
  Played& played = jobs_[id];
  const Time limit = rules_.kill ? job.estimate : kNever;
  played.each = job.duration;
  played.inside = application_->play({job.row, job.processors, job.duration}, begin, first_, limit);
  played.done = true;
  if (const std::span<const Time> idle = application_->idle_from(); rules_.early) idling_[id].idle_from.assign(idle.begin(), idle.end());
  job.duration = std::min(played.inside.duration, limit);
  job.killed = played.inside.cut || played.inside.duration > limit;
}

void ApplicationLevel::started(JobId id, const Job& job, Time begin) {
  if (!rules_.early) return;
  Idling& idling = idling_[id];
  idling.row = job.row;
  idling.order = job.sequence;
  for (std::uint32_t unit = 0; unit < idling.idle_from.size(); ++unit)
    if (const Time at = begin + std::max(0.0, idling.idle_from[unit] - idling.saved); at < job.end)
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
  const std::size_t each = jobs_[id].cores_a_unit;
  Core* const cores = &idling_[id].cores[unit * each];
  gifts_.push_back({idling_[id].row, idling_[id].run, idling_[id].units.back().first, cores[0]});
  if (cluster) put(given.placement, cores_.node(cores[0]), 1);
  for (std::size_t k = 0; k < each; ++k) {
    cores_.give(cores[k]);
    cores[k] = kGone;
  }
  ++given.processors;
}

void ApplicationLevel::end(JobId id) {
  free_cores(id);
  if (rules_.early) idling_[id] = {};
}

void ApplicationLevel::aborted(JobId id, Time saved) {
  free_cores(id);
  jobs_[id].given_back = 0;
  if (!rules_.early) return;
  Idling& idling = idling_[id];
  if (!idling.units.empty()) early_.remove(id);
  idling.units.clear();
  idling.saved += saved;
  ++idling.run;
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
