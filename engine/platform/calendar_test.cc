#include "platform/calendar.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace thinktime;

namespace {

// Whether a closure falls into [from, to); or contains `from`, for a job of no length.
bool meets(const Closing& closing, Time from, Time to) {
  return closing.to > from && (closing.from < to || closing.from <= from);
}

struct Plain {
  std::vector<Closing> all;

  bool open(NodeId node, Time from, Time to, Owner owner) const {
    for (const Closing& each : all)
      if (each.first <= node && node < each.first + each.nodes && meets(each, from, to) &&
          (each.owner == kNoOwner || each.owner != owner))
        return false;
    return true;
  }
  bool quiet(Time from, Time to) const {
    for (const Closing& each : all)
      if (meets(each, from, to)) return false;
    return true;
  }
  Time next_change(Time after) const {
    Time next = kNever;
    for (const Closing& each : all)
      for (const Time time : {each.from, each.to})
        if (time > after) next = std::min(next, time);
    return next;
  }
};

Closing random_closing(std::mt19937& random, NodeId nodes, bool owned) {
  const NodeId first = random() % nodes;
  const NodeId count = 1 + random() % (nodes - first);
  const Time from = random() % 100;
  return {first, count, from, from + 1 + random() % 30, owned ? static_cast<Owner>(random() % 3) : kNoOwner};
}

}  // namespace

TEST_CASE("an empty calendar leaves every node open") {
  const Calendar calendar;
  CHECK(calendar.empty());
  CHECK(calendar.open(7, 0, kNever, kNoOwner));
  CHECK(calendar.next_open(3, 10, 0, 100, kNoOwner) == 3);
  CHECK(calendar.next_change(0) == kNever);
  CHECK(calendar.open_until(0, 10) == kNever);
  CHECK(calendar.met(0, 100) == Met{});
}

TEST_CASE("a job may end when a closure begins, and start when it ends") {
  Calendar calendar;
  calendar.close({{2, 3, 10, 20, kNoOwner}});
  CHECK(calendar.open(2, 0, 10, kNoOwner));
  CHECK(calendar.open(2, 20, 30, kNoOwner));
  CHECK_FALSE(calendar.open(2, 0, 11, kNoOwner));
  CHECK_FALSE(calendar.open(4, 19, 19, kNoOwner));  // no time at all, inside
  CHECK(calendar.open(5, 0, 100, kNoOwner));
  CHECK(calendar.next_open(2, 10, 15, 16, kNoOwner) == 5);
  CHECK(calendar.open_until(0, 5) == kNever);  // nodes 0 and 1 stay open
}

TEST_CASE("a reservation is open to its owner only") {
  Calendar calendar;
  calendar.close({{0, 2, 10, 20, 7}});
  CHECK(calendar.open(0, 10, 20, 7));
  CHECK_FALSE(calendar.open(0, 10, 20, 8));
  CHECK_FALSE(calendar.open(0, 10, 20, kNoOwner));
}

TEST_CASE("random closures agree with a plain list") {
  std::mt19937 random(5);
  constexpr NodeId kNodes = 12;
  for (int trial = 0; trial < 60; ++trial) {
    Calendar calendar;
    Plain plain;
    for (int part = 0; part < 3; ++part) {  // given in several portions
      std::vector<Closing> some;
      for (unsigned k = random() % 4; k > 0; --k) some.push_back(random_closing(random, kNodes, trial % 2));
      plain.all.insert(plain.all.end(), some.begin(), some.end());
      calendar.close(some);
    }
    for (int query = 0; query < 80; ++query) {
      const Time from = random() % 140, to = from + random() % 40;
      const Owner owner = random() % 3;
      CHECK(calendar.quiet(from, to) == plain.quiet(from, to));
      CHECK(calendar.next_change(from) == plain.next_change(from));
      std::vector<char> marked(kNodes);
      calendar.mark_open(from, to, owner, marked);
      NodeId next = kNodes;
      for (NodeId node = kNodes; node-- > 0;) {
        const bool open = plain.open(node, from, to, owner);
        CHECK(calendar.open(node, from, to, owner) == open);
        CHECK(static_cast<bool>(marked[node]) == open);
        if (open) next = node;
        CHECK(calendar.next_open(node, kNodes, from, to, owner) == next);
      }
    }
  }
}

TEST_CASE("jobs that meet the same closures may use the same nodes") {
  std::mt19937 random(6);
  for (int trial = 0; trial < 40; ++trial) {
    Calendar calendar;
    Plain plain;
    for (int k = 0; k < 5; ++k) plain.all.push_back(random_closing(random, 6, false));
    calendar.close(plain.all);
    for (int query = 0; query < 50; ++query) {
      const Time from = random() % 130, to = from + 1 + random() % 40;
      const Time other_from = random() % 130, other_to = other_from + 1 + random() % 40;
      const Met mine = calendar.met(from, to), other = calendar.met(other_from, other_to);
      for (NodeId node = 0; node < 6 && mine.includes(other); ++node)
        if (plain.open(node, from, to, kNoOwner)) CHECK(plain.open(node, other_from, other_to, kNoOwner));
    }
  }
}

TEST_CASE("without reservations, a job that is over by open_until finds some node open") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 60; ++trial) {
    Calendar calendar;
    Plain plain;
    for (int k = 0; k < 6; ++k) plain.all.push_back(random_closing(random, 4, false));
    calendar.close(plain.all);
    for (Time now = 0; now < 130; now += 3) {
      Time latest = -kNever;  // over the nodes: when the next closure begins, if the node is open now
      for (NodeId node = 0; node < 4; ++node) {
        Time begin = kNever;
        for (const Closing& each : plain.all)
          if (each.first <= node && node < each.first + each.nodes && each.to > now)
            begin = std::min(begin, each.from > now ? each.from : -kNever);
        latest = std::max(latest, begin);
      }
      CHECK(calendar.open_until(now, 4) == latest);
    }
  }
}
