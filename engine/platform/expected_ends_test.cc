#include "platform/expected_ends.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace thinktime;

namespace {

// The same promise from a plain list: add releases in (time, sequence) until the need is met.
Promise plain_promise(std::vector<Release> running, Time now, Processors free, Processors need, bool count_ties) {
  std::ranges::sort(running, [](const Release& a, const Release& b) { return a.before(b); });
  std::int64_t available = free;
  for (std::size_t i = 0; i < running.size(); ++i) {
    available += running[i].processors;
    if (available < need) continue;
    const Time shadow = std::max(now, running[i].time);
    for (++i; count_ties && i < running.size() && running[i].time <= shadow; ++i) available += running[i].processors;
    return {shadow, static_cast<Processors>(available - need)};
  }
  return {};
}

void check_equal(const Promise& found, const Promise& expected) {
  CHECK(found.shadow == expected.shadow);
  CHECK(found.extra == expected.extra);
}

}  // namespace

TEST_CASE("the shadow is the first expected end that frees enough") {
  ExpectedEnds ends;
  ends.add(Release{10, 0, 2});
  ends.add(Release{20, 1, 3});
  ends.add(Release{20, 2, 4});
  check_equal(ends.promise(0, 1, 3), {10, 0});
  check_equal(ends.promise(0, 1, 4), {20, 6});
  check_equal(ends.promise(0, 1, 4, false), {20, 2});  // only the end that suffices
  check_equal(ends.promise(0, 1, 11), {});             // never enough
}

TEST_CASE("overdue jobs are expected to end now") {
  ExpectedEnds ends;
  ends.add(Release{10, 0, 2});
  check_equal(ends.promise(50, 0, 2), {50, 0});
}

TEST_CASE("random promises agree with a plain list") {
  std::mt19937 random(3);
  ExpectedEnds ends;
  std::vector<Release> running;
  std::uint32_t sequence = 0;
  for (int step = 0; step < 8000; ++step) {
    if (running.empty() || random() % 100 < (step % 2000 < 1200 ? 70u : 30u)) {
      running.push_back({static_cast<Time>(random() % 300), sequence++, static_cast<Processors>(1 + random() % 9)});
      ends.add(running.back());
    } else {
      std::swap(running[random() % running.size()], running.back());
      ends.remove(running.back());
      running.pop_back();
    }
    const Time now = random() % 300;
    const auto free = static_cast<Processors>(random() % 4);
    const auto need = static_cast<Processors>(free + 1 + random() % 200);
    const bool ties = random() % 2;
    check_equal(ends.promise(now, free, need, ties), plain_promise(running, now, free, need, ties));
  }
}
