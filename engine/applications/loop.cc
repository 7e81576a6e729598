#include "applications/loop.h"

#include <algorithm>

namespace thinktime {

Loop::Loop(const Plan& plan)
    : tasks_(plan),
      speeds_(plan),
      technique_(make_technique(plan.options.text("technique", "static"), plan.options)),
      adaptive_(technique_->adaptive()),
      overhead_s_(plan.options.number("overhead_s", 0)),
      low_(std::stoull(plan.options.text("technique_low", "0"))),
      high_(std::stoull(plan.options.text("technique_high", "0"))) {}

void Loop::begin(const Work& work, std::span<const Core> cores) {
  tasks_.draw(work, lengths_);
  speeds_of_cores_.clear();
  if (!speeds_.all_one())
    for (const Core core : cores) speeds_of_cores_.push_back(speeds_.of(core));
  if (!lengths_.empty()) technique_->begin(facts(work, cores.size()));
  idle_from_.assign(cores.size(), 0);
  if (adaptive_) given_.assign(cores.size(), {});
}

LoopFacts Loop::facts(const Work& work, std::size_t cores) const {
  return {static_cast<std::int64_t>(lengths_.size()),
          static_cast<std::int32_t>(cores),
          tasks_.mean(work),
          tasks_.deviation(work),
          overhead_s_,
          speeds_of_cores_,
          low_,
          high_ + work.row};
}

std::int64_t Loop::next_chunk(std::size_t core, std::int64_t remaining) {
  const auto asking = static_cast<std::int32_t>(core);
  if (adaptive_ && given_[core].tasks > 0)
    technique_->done(asking, given_[core].tasks, given_[core].work_s, given_[core].total_s);
  return std::clamp<std::int64_t>(technique_->chunk(asking, remaining), 1, remaining);
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
    const Time begin = now + overhead_s_;
    const auto see = [&](std::int64_t task, Time from, Time until) {
      if (!(from < limit)) return;
      ++inside.tasks;
      seen(TaskEvent{task, inside.chunks, core, from, std::min(until, limit)});
    };
    const Time end = work_on(cores[core], start, begin, next, next + chunk, see);
    if (adaptive_) given_[core] = {chunk, end - begin, end - now};
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

Inside Loop::play(const Work& work, Time start, std::span<const Core> cores, Time limit) {
  begin(work, cores);
  return go(start, cores, limit, [](const TaskEvent&) {});
}

void Loop::show(const Work& work, Time start, std::span<const Core> cores, Time limit, const Onlooker& onlooker) {
  begin(work, cores);
  go(start, cores, limit, onlooker);
}

namespace {

const RegisterApplication loop{"loop", [](const Plan& plan) { return std::make_unique<Loop>(plan); }};

}  // namespace
}  // namespace thinktime
