#include "core/end_queue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>
#include <vector>

using namespace thinktime;

namespace {

using Entry = std::tuple<Time, std::uint32_t, JobId>;  // (time, sequence, job): the order of the queue

// The queue and a sorted set of the same ends.
struct Both {
  EndQueue queue;
  std::set<Entry> model;

  void push(Time time, std::uint32_t sequence, JobId job) {
    queue.push({time, sequence, job});
    model.emplace(time, sequence, job);
  }
  void pop() {
    const JobId expected = std::get<2>(*model.begin());
    model.erase(model.begin());
    CHECK(queue.pop() == expected);
  }
  void check() const {
    CHECK(queue.next() == (model.empty() ? kNever : std::get<0>(*model.begin())));
    CHECK(queue.entries().size() == model.size());
  }
};

}  // namespace

TEST_CASE("an empty end queue has no next end") { CHECK(EndQueue{}.next() == kNever); }

TEST_CASE("ends at one time leave in start order, whatever the slot") {
  EndQueue queue;
  queue.push({5.0, 2, 7});
  queue.push({5.0, 1, 9});
  queue.push({5.0, 3, 1});
  CHECK(queue.pop() == 9);
  CHECK(queue.pop() == 7);
  CHECK(queue.pop() == 1);
}

TEST_CASE("times below zero and minus zero are ordered as numbers") {
  EndQueue queue;
  queue.push({0.0, 2, 0});
  queue.push({-0.0, 1, 1});
  queue.push({-3.5, 3, 2});
  queue.push({1e-300, 0, 3});
  CHECK(queue.next() == -3.5);
  CHECK(queue.pop() == 2);
  CHECK(queue.pop() == 1);
  CHECK(queue.pop() == 0);
  CHECK(queue.next() == 1e-300);
}

TEST_CASE("an end keeps its time exactly") {
  for (const Time time : {-1e17, -1.25, 0.1, 1e9 + 0.1, kNever}) CHECK(End(time, 1, 2).time() == time);
}

TEST_CASE("random operations agree with a sorted set") {
  std::mt19937 random(1);
  Both both;
  std::uint32_t sequence = 0;
  for (int step = 0; step < 20'000; ++step) {
    const unsigned what = random() % 8;
    const Time time = static_cast<Time>(random() % 50) - 10;  // many ties
    if (both.model.empty() || what < 4) {
      both.push(time, sequence, sequence);
      ++sequence;
    } else if (what < 6) {
      both.pop();
    } else if (what == 6) {
      const JobId expected = std::get<2>(*both.model.begin());
      both.model.erase(both.model.begin());
      both.model.emplace(time, sequence, sequence);
      CHECK(both.queue.replace({time, sequence, sequence}) == expected);
      ++sequence;
    } else {
      const auto gone = std::next(both.model.begin(), static_cast<std::ptrdiff_t>(random() % both.model.size()));
      both.queue.remove(std::get<2>(*gone));
      both.model.erase(gone);
    }
    both.check();
  }
  while (!both.model.empty()) both.pop();
  both.check();
}

TEST_CASE("each_at visits every end of the earliest time, and no other") {
  std::mt19937 random(2);
  for (int trial = 0; trial < 200; ++trial) {
    EndQueue queue;
    std::vector<JobId> expected, found;
    for (JobId job = 0; job < 40; ++job) {
      const auto time = static_cast<Time>(random() % 6);
      queue.push({time, job, job});
      if (time == 0) expected.push_back(job);
    }
    queue.each_at(0, [&](JobId job) { found.push_back(job); });
    std::ranges::sort(found);
    CHECK(found == expected);
  }
}
