#include "applications/loop.h"

#include <algorithm>

namespace thinktime {

void Loop::add(const Plan& plan, std::unique_ptr<Technique> technique) {
  if (kinds_.empty()) speeds_ = Speeds(plan);
  if (!technique) technique = make_technique(plan.options.text("technique", "static"), plan.options);
  const bool adaptive = technique->adaptive();
  kinds_.push_back({Tasks(plan), std::move(technique), adaptive, plan.options.number("overhead_s", 0),
                    std::stoull(plan.options.text("technique_low", "0")),
                    std::stoull(plan.options.text("technique_high", "0")), plan.options.flag("fixed", false)});
}

void Loop::set_technique(std::unique_ptr<Technique> technique) {
  kinds_.front().adaptive = technique->adaptive();
  kinds_.front().technique = std::move(technique);
}

void Loop::begin(const Work& work, std::span<const Core> cores) {
  kind_ = &kinds_[work.variant];
  kind_->tasks.draw(work, lengths_);
  speeds_of_cores_.clear();
  if (!speeds_.all_one())
    for (const Core core : cores) speeds_of_cores_.push_back(speeds_.of(core));
  if (!lengths_.empty()) kind_->technique->begin(facts(work, cores.size()));
  idle_from_.assign(cores.size(), 0);
  if (kind_->adaptive) given_.assign(cores.size(), {});
}

LoopFacts Loop::facts(const Work& work, std::size_t cores) const {
  return {static_cast<std::int64_t>(lengths_.size()),
          static_cast<std::int32_t>(cores),
          kind_->tasks.mean(work),
          kind_->tasks.deviation(work),
          kind_->overhead_s,
          speeds_of_cores_,
          kind_->low,
          kind_->high + work.row};
}

std::int64_t Loop::next_chunk(std::size_t core, std::int64_t remaining) {
  const auto asking = static_cast<std::int32_t>(core);
  if (kind_->adaptive && given_[core].tasks > 0)
    kind_->technique->done(asking, given_[core].tasks, given_[core].work_s, given_[core].total_s);
  return std::clamp<std::int64_t>(kind_->technique->chunk(asking, remaining), 1, remaining);
}

template <class Seen>  // calls seen(task, from, until) for each
Time Loop::work_on(Core core, Time start, Time from, std::int64_t first, std::int64_t past, Seen seen) const {
  Time at = from;
  const bool usual = speeds_.all_one();
  for (std::int64_t task = first; task < past; ++task) {
    const Time begin = at;
    const double length = lengths_[static_cast<std::size_t>(task)];
    at = usual ? at + length : speeds_.done(core, start, at, length);
    seen(task, begin, at);
  }
  return at;
}

template <class Seen>  // seen(event)
Inside Loop::go(Time start, std::span<const Core> cores, Time limit, Seen seen) {
  const auto tasks = static_cast<std::int64_t>(lengths_.size());
  const auto within = [&](Time from, Time until) { return std::min(until, limit) - std::min(from, limit); };
  const bool adaptive = kind_->adaptive;
  const double overhead_s = kind_->overhead_s;
  Inside inside;
  std::int64_t next = 0;  // the first unassigned task
  for (std::uint32_t core = 0; core < cores.size(); ++core) asking_.push({0, core, core});
  while (asking_.next() != kNever) {
    const Time now = asking_.next();
    const auto core = asking_.entries().front().job();
    if (next == tasks || now >= limit) {
      asking_.pop();
      continue;
    }
    const std::int64_t chunk = next_chunk(core, tasks - next);
    const Time begin = now + overhead_s;
    const auto see = [&](std::int64_t task, Time from, Time until) {
      if (!(from < limit)) return;
      ++inside.tasks;
      seen(TaskEvent{task, inside.chunks, core, from, std::min(until, limit)});
    };
    const Time end = work_on(cores[core], start, begin, next, next + chunk, see);
    if (adaptive) given_[core] = {chunk, end - begin, end - now};
    inside.busy_s += within(begin, end);
    inside.overhead_s += within(now, begin);
    ++inside.chunks;
    next += chunk;
    idle_from_[core] = std::min(end, limit);
    inside.duration = std::max(inside.duration, idle_from_[core]);
    inside.cut = inside.cut || end > limit;
    asking_.replace({end, core, core});
  }
  inside.cut = inside.cut || next < tasks;
  return inside;
}

// A job that runs as recorded: one task on each core.
template <class Seen>
Inside Loop::as_recorded(const Work& work, std::size_t cores, Time limit, Seen seen) {
  const Time end = std::min(work.each, limit);
  idle_from_.assign(cores, end);
  if (!(work.each > 0)) return {};
  const auto tasks = static_cast<std::int64_t>(cores);
  for (std::size_t core = 0; core < cores; ++core)
    seen(TaskEvent{static_cast<std::int64_t>(core), static_cast<std::int64_t>(core), core, 0, end});
  return {end, tasks, tasks, end * static_cast<double>(cores), 0, work.each > limit};
}

Inside Loop::play(const Work& work, Time start, std::span<const Core> cores, Time limit) {
  const auto unseen = [](const TaskEvent&) {};
  if (kinds_[work.variant].fixed) return as_recorded(work, cores.size(), limit, unseen);
  begin(work, cores);
  return go(start, cores, limit, unseen);
}

void Loop::show(const Work& work, Time start, std::span<const Core> cores, Time limit, const Onlooker& onlooker) {
  if (kinds_[work.variant].fixed) {
    as_recorded(work, cores.size(), limit, onlooker);
    return;
  }
  begin(work, cores);
  go(start, cores, limit, onlooker);
}

namespace {

const RegisterApplication loop{"loop", [](const Plan& plan) { return std::make_unique<Loop>(plan); }};

}  // namespace
}  // namespace thinktime
