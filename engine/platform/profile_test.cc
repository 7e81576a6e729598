#include "platform/profile.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace thinktime;

namespace {

// Free processors at whole seconds 0 … kSeconds - 1; everything is free afterwards.
constexpr int kSeconds = 1000;

struct Plain {
  Processors all;
  std::vector<Processors> free = std::vector<Processors>(kSeconds, all);

  Processors at(int second) const { return second < kSeconds ? free[static_cast<std::size_t>(second)] : all; }
  void add(int from, int to, Processors n) {
    for (int second = from; second < to; ++second) free[static_cast<std::size_t>(second)] += n;
  }
  Processors least(int from, int to) const {
    Processors least = all;
    for (int second = from; second < to; ++second) least = std::min(least, at(second));
    return least;
  }
  int earliest(int now, int length, Processors n, int before) const {
    for (int start = now; start < before; ++start)
      if (at(start) >= n && least(start, std::min(before, start + length)) >= n) return start;
    return before;
  }
};

struct Booking {
  int from, to;
  Processors n;
};

}  // namespace

TEST_CASE("an empty profile has all processors free at once") {
  const Profile profile(8);
  CHECK(profile.earliest(5, 100, 8) == 5);
  CHECK(profile.free_before(5) == 8);
}

TEST_CASE("a job waits for the gap that is long enough") {
  Profile profile(4);
  profile.take(10, 20, 3);
  profile.take(25, 30, 3);
  CHECK(profile.earliest(0, 10, 2) == 0);
  CHECK(profile.earliest(0, 11, 2) == 30);  // the gap of 20–25 is too short
  CHECK(profile.earliest(0, 5, 2) == 0);
  CHECK(profile.earliest(8, 5, 2) == 20);
  CHECK(profile.earliest(8, 5, 1) == 8);
  CHECK(profile.earliest(8, 50, 2, 22) == 20);  // free until `before` suffices
  CHECK(profile.earliest(8, 5, 2, 15) == 15);   // none before it
}

TEST_CASE("a booking of no length changes nothing") {
  Profile profile(4);
  profile.take(10, 10, 4);
  CHECK(profile.earliest(0, 100, 4) == 0);
}

TEST_CASE("random bookings agree with an array of seconds") {
  std::mt19937 random(4);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int trial = 0; trial < 20; ++trial) {
    const Processors all = trial % 2 ? 1 + below(20) : 200;  // few steps, or many that long bookings span
    Profile profile(all);
    Plain plain{all};
    std::vector<Booking> booked;
    int now = 0;
    for (int step = 0; step < 600; ++step) {
      if (below(20) == 0) profile.advance(now = std::min(now + below(10), kSeconds / 4));
      const int length = 1 + below(below(3) ? 30 : kSeconds / 2);
      const Processors n = 1 + below(std::min(all, 30));
      const int before = now + below(2 * kSeconds);
      CHECK(profile.earliest(now, length, n, before) == plain.earliest(now, length, n, before));
      const int start = plain.earliest(now + below(kSeconds / 2), length, n, kSeconds);
      const bool grow = step % 300 < 200;
      if (below(4) < (grow ? 3 : 0) && start + length <= kSeconds) {
        booked.push_back({start, start + length, n});
        profile.take(start, start + length, n);
        plain.add(start, start + length, -n);
      } else if (!booked.empty()) {
        std::swap(booked[static_cast<std::size_t>(below(static_cast<int>(booked.size())))], booked.back());
        const Booking gone = booked.back();
        booked.pop_back();
        const int from = std::max(now, gone.from), to = std::max(now, gone.to);
        profile.give(from, to, gone.n);
        plain.add(from, to, gone.n);
      }
      for (int k = 0; k < 3; ++k) {
        const int moment = now + 1 + below(kSeconds);
        CHECK(profile.free_before(moment) == plain.at(moment - 1));
      }
    }
  }
}
