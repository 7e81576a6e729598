#include "schedulers/waiting_list.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "schedulers/waiting_by_size.h"
#include "simulation/system_state.h"

using namespace thinktime;

namespace {

// A system whose jobs have joined the queue.
struct Queue {
  SystemState state{1 << 20};
  std::vector<JobId> jobs;

  JobId add(std::mt19937& random) {
    const Time length = 1 + random() % 500;
    const auto processors = static_cast<Processors>(1 + random() % (random() % 4 ? 20 : 3000));
    const JobId id = state.add({.submit = 0,
                                .duration = length,
                                .estimate = length,
                                .length = length,
                                .processors = processors,
                                .row = static_cast<std::uint32_t>(jobs.size())});
    state.join(id);
    jobs.push_back(id);
    return id;
  }
  // In the order of (key, sequence).
  std::vector<JobId> sorted(const Order& order) const {
    std::vector<JobId> all = jobs;
    std::ranges::stable_sort(all, {}, [&](JobId id) { return order.key(id, state.job(id), state.now()); });
    return all;
  }
  void remove(JobId id) { std::erase(jobs, id); }
  JobId any(std::mt19937& random) const { return jobs[random() % jobs.size()]; }
};

std::vector<JobId> listed(const auto& list, const System& system) {
  std::vector<JobId> found;
  list.jobs(system, found);
  return found;
}

Gap random_gap(std::mt19937& random) {
  const auto free = static_cast<Processors>(random() % 64);
  return {10, 10 + static_cast<Time>(random() % 500), free, static_cast<Processors>(random() % 40)};
}

}  // namespace

TEST_CASE("searches of a waiting list find what a walk finds") {
  for (const char* name : {"arrival", "estimate", "longest"}) {
    const Order order(name, {});
    std::mt19937 random(13);
    Queue queue;
    WaitingList list(order);
    for (int step = 0; step < 3000; ++step) {
      if (queue.jobs.empty() || random() % 5 < (step < 2000 ? 4u : 1u)) {
        list.add(queue.state, queue.add(random));
      } else {
        const JobId gone = queue.any(random);
        list.erase(queue.state, gone);
        queue.remove(gone);
      }
      if (step % 20) continue;
      const std::vector<JobId> all = queue.sorted(order);
      CHECK(listed(list, queue.state) == all);
      if (!all.empty()) CHECK(list.front().job == all.front());
      const Gap gap = random_gap(random);
      const auto first = [&](auto accept) {
        const auto at = std::ranges::find_if(all, [&](JobId id) { return accept(queue.state.job(id)); });
        return at == all.end() ? kNoJob : *at;
      };
      const auto job_at = [&](WaitingList::Place at) { return list.valid(at) ? list[at].job : kNoJob; };
      CHECK(job_at(list.next_fitting(list.begin(), gap.free)) ==
            first([&](const Job& job) { return job.processors <= gap.free; }));
      CHECK(job_at(list.next_harmless(list.begin(), gap)) == first([&](const Job& job) { return gap.admits(job); }));
    }
  }
}

TEST_CASE("a dynamic order is sorted anew by refresh") {
  std::mt19937 random(14);
  const Order order("expansion", {});
  Queue queue;
  WaitingList list(order);
  for (int k = 0; k < 200; ++k) list.add(queue.state, queue.add(random));
  queue.state.set_now(1000);
  list.refresh(queue.state);
  CHECK(list.front().job == queue.sorted(order).front());
  CHECK(listed(list, queue.state) == queue.sorted(order));
}

TEST_CASE("a queue kept apart by size has the same order and the same candidates") {
  for (const char* name : {"arrival", "estimate"}) {
    const Order order(name, {});
    std::mt19937 random(15);
    Queue queue;
    WaitingBySize list(order);
    for (int round = 0; round < 150; ++round) {
      for (unsigned k = random() % 40; k > 0; --k) list.add(queue.state, queue.add(random));
      std::vector<JobId> all = queue.sorted(order);
      CHECK(listed(list, queue.state) == all);
      CHECK(list.empty() == all.empty());
      if (!all.empty()) CHECK(list.front().job == all.front());
      Gap gap = random_gap(random);
      CHECK(list.some_fit(gap.free) ==
            std::ranges::any_of(all, [&](JobId id) { return queue.state.job(id).processors <= gap.free; }));

      // Start candidates in order, with a gap that shrinks; refuse every third.
      std::vector<JobId> expected, started;
      Gap left = gap;
      int tried = 0;
      for (const JobId id : all) {
        const Job& job = queue.state.job(id);
        if (!left.admits(job) || ++tried % 3 == 0) continue;
        left.free -= job.processors;
        if (!left.over_by_shadow(job)) left.extra -= job.processors;
        expected.push_back(id);
      }
      tried = 0;
      list.start_harmless([&] { return gap; },
                          [&](JobId id) {
                            if (++tried % 3 == 0) return false;
                            const Job& job = queue.state.job(id);
                            gap.free -= job.processors;
                            if (!gap.over_by_shadow(job)) gap.extra -= job.processors;
                            started.push_back(id);
                            return true;
                          });
      CHECK(started == expected);
      for (const JobId id : started) queue.remove(id);
      if (!queue.jobs.empty() && random() % 2) {
        CHECK(list.front().job == queue.sorted(order).front());
        queue.remove(list.front().job);
        list.pop_front();
      }
      if (!queue.jobs.empty()) {
        const JobId gone = queue.any(random);
        list.erase(queue.state, gone);
        queue.remove(gone);
      }
    }
  }
}
