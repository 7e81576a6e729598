// The loop with a scheduler and a user model that are defined here: a policy needs nothing but the interfaces in
// system/.
#include "simulation/simulation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace thinktime;

namespace {

// Starts waiting jobs in the order of submission, while they fit.
class InOrder : public Scheduler {
 public:
  void submitted(const System&, JobId job) override { queue_.push_back(job); }
  void ended(const System&, JobId) override {}
  void pass(System& system) override {
    ++passes;
    while (!queue_.empty() && system.job(queue_.front()).processors <= system.free()) {
      system.start(queue_.front());
      queue_.erase(queue_.begin());
    }
  }
  void waiting(const System&, std::vector<JobId>& jobs) const override { jobs = queue_; }

  int passes = 0;

 private:
  std::vector<JobId> queue_;
};

const RegisterScheduler in_order{"in-order", [](const Options&) { return std::make_unique<InOrder>(); }};

// Submits jobs at given times, and counts the ends.
class Recorded : public UserModel {
 public:
  void plan(std::vector<Time> times) {
    times_ = std::move(times);
    look();
  }
  JobId submit() override {
    const JobId job = submitted_++;
    look();
    return job;
  }
  void ended(const JobTable&, JobId, Time) override { ++ends; }

  int ends = 0;

 private:
  void look() { next_ = submitted_ < times_.size() ? times_[submitted_] : kNever; }

  std::vector<Time> times_;
  JobId submitted_ = 0;
};

struct Given {
  Time submit, run;
  Processors processors;
};

struct Outcome {
  std::vector<Time> starts, ends;
  std::vector<State> states;
  Statistics statistics;
  TimelineColumns timeline;
};

Outcome play(const std::vector<Given>& jobs, Processors processors, SameInstant same_instant = SameInstant::batch) {
  Recorded users;
  Rules rules;
  rules.same_instant = same_instant;
  Simulation simulation(SystemState(processors), rules, make_scheduler("in-order", {}), users);
  std::vector<Time> times;
  for (const Given& job : jobs) {
    simulation.add({job.submit, job.run, job.run, job.processors, static_cast<std::uint32_t>(times.size())});
    times.push_back(job.submit);
  }
  users.plan(times);
  simulation.run(kNever, 1'000'000);
  CHECK(users.ends == static_cast<int>(jobs.size()));
  Outcome out;
  for (JobId id = 0; id < jobs.size(); ++id) {
    out.starts.push_back(simulation.system().job(id).start);
    out.ends.push_back(simulation.system().job(id).end);
    out.states.push_back(simulation.system().job(id).state);
  }
  out.statistics = simulation.statistics();
  out.timeline = simulation.timeline().take(true);
  return out;
}

// The starts of an in-order schedule, computed job by job.
std::vector<Time> plain_starts(const std::vector<Given>& jobs, Processors processors) {
  std::vector<Time> starts;
  Time now = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    now = std::max(now, jobs[i].submit);
    std::vector<Time> instants{now};
    for (std::size_t k = 0; k < i; ++k) instants.push_back(starts[k] + jobs[k].run);
    std::ranges::sort(instants);
    for (const Time instant : instants) {
      Processors free = processors;
      for (std::size_t k = 0; k < i; ++k)
        if (starts[k] + jobs[k].run > instant) free -= jobs[k].processors;
      if (instant < now || free < jobs[i].processors) continue;
      now = instant;
      break;
    }
    starts.push_back(now);
  }
  return starts;
}

}  // namespace

TEST_CASE("ends of an instant come before submissions, and one pass follows") {
  const Outcome run = play({{0, 10, 4}, {10, 5, 4}}, 4);
  CHECK(run.starts == std::vector<Time>{0, 10});
  CHECK(run.statistics.passes == 3);  // at 0, 10 and 15
  CHECK(run.statistics.events == 4);
}

TEST_CASE("a zero-length job starts and ends in one instant, in two rounds") {
  const Outcome run = play({{3, 0, 2}}, 2);
  CHECK(run.starts[0] == 3);
  CHECK(run.ends[0] == 3);
  CHECK(run.statistics.instants == 1);
  CHECK(run.statistics.passes == 2);
  CHECK(run.timeline.time.size() == 1);
}

TEST_CASE("a job that is larger than the machine is rejected") {
  const Outcome run = play({{0, 10, 5}, {1, 10, 4}}, 4);
  CHECK(run.states == std::vector<State>{State::rejected, State::completed});
  CHECK(run.starts[1] == 1);
}

TEST_CASE("the rules of an instant differ in the number of passes, not in these starts") {
  const std::vector<Given> jobs{{0, 10, 2}, {0, 10, 2}, {10, 5, 4}};
  for (const SameInstant rule : {SameInstant::batch, SameInstant::each_submit_first, SameInstant::each_end_first})
    CHECK(play(jobs, 4, rule).starts == std::vector<Time>{0, 0, 10});
  CHECK(play(jobs, 4, SameInstant::batch).statistics.passes == 3);
  CHECK(play(jobs, 4, SameInstant::each_end_first).statistics.passes == 6);
}

TEST_CASE("random workloads start as computed job by job") {
  std::mt19937 random(19);
  for (int trial = 0; trial < 200; ++trial) {
    const auto processors = static_cast<Processors>(1 + random() % 8);
    std::vector<Given> jobs;
    Time submit = 0;
    for (unsigned k = random() % 30; k > 0; --k) {
      submit += static_cast<Time>(random() % 5);
      jobs.push_back({submit, static_cast<Time>(random() % 12),
                      static_cast<Processors>(1 + random() % static_cast<unsigned>(processors))});
    }
    const Outcome run = play(jobs, processors);
    CHECK(run.starts == plain_starts(jobs, processors));
    for (const std::int64_t used : run.timeline.used_processors) CHECK(used <= processors);
  }
}
