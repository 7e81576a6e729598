#include "platform/nodes.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace thinktime;

namespace {

constexpr std::size_t kResources = 2;

Need need_of(const std::vector<Amount>& unit, Processors units) {
  Need need{};
  need.unit = unit;
  need.units = units;
  return need;
}

}  // namespace

TEST_CASE("how many units fit into an amount") {
  const std::vector<Amount> free{10, 7}, unit{2, 3}, cores{4, 0};
  CHECK(units_in(free.data(), unit, 100) == 2);
  CHECK(units_in(free.data(), unit, 1) == 1);
  CHECK(units_in(free.data(), cores, 100) == 2);
  CHECK(units_in(free.data(), cores) == 2);
}

TEST_CASE("neighbours with equal units share a span") {
  Placement placement;
  put(placement, 3, 2);
  put(placement, 4, 2);
  put(placement, 5, 1);
  put(placement, 7, 1);
  CHECK(placement.size() == 3);
  int nodes = 0;
  each_node(placement, [&](NodeId, Processors) { ++nodes; });
  CHECK(nodes == 4);
}

TEST_CASE("taking more than is free is an error") {
  Nodes nodes({4, 4}, 1);
  const std::vector<Amount> unit{3};
  nodes.take(0, unit, 1);
  CHECK_THROWS_AS(nodes.take(0, unit, 1), std::logic_error);
}

TEST_CASE("a node is open again when every reason is gone") {
  Nodes nodes({4, 4}, 1);
  const std::vector<Amount> unit{1};
  nodes.take(0, unit, 3);
  CHECK(nodes.close(0));
  CHECK_FALSE(nodes.close(0));
  CHECK(nodes.total_free(0) == 4);
  nodes.give(0, unit, 2);  // withheld while it is closed
  CHECK(nodes.free(0)[0] == 0);
  CHECK_FALSE(nodes.open(0));
  CHECK(nodes.open(0));
  CHECK(nodes.free(0)[0] == 3);
  CHECK(nodes.total_free(0) == 7);
  CHECK_THROWS_AS(nodes.open(0), std::logic_error);
}

TEST_CASE("random takes, returns and closures: the next node with room is the one that a walk finds") {
  std::mt19937 random(10);
  for (const NodeId size : {1u, 31u, 33u, 1024u, 2500u}) {  // within a block, across blocks, across groups
    std::vector<Amount> capacity;
    for (NodeId node = 0; node < size; ++node)
      capacity.insert(capacity.end(), {Amount(random() % 9), Amount(random() % 5)});
    Nodes nodes(capacity, kResources);
    struct Taken {
      NodeId node;
      std::vector<Amount> unit;
      Processors units;
    };
    std::vector<Taken> taken;
    std::vector<NodeId> closed;
    for (int step = 0; step < 600; ++step) {
      const std::vector<Amount> unit{Amount(random() % 4 + (step % 2)), Amount(random() % 4 + 1 - (step % 2))};
      const NodeId node = random() % size;
      if (const Processors fit = nodes.units(node, unit, 3); fit > 0 && unit[0] + unit[1] > 0 && random() % 3) {
        nodes.take(node, unit, fit);
        taken.push_back({node, unit, fit});
      } else if (!taken.empty() && random() % 2) {
        std::swap(taken[random() % taken.size()], taken.back());
        nodes.give(taken.back().node, taken.back().unit, taken.back().units);
        taken.pop_back();
      } else if (random() % 8 == 0) {
        nodes.close(node);
        closed.push_back(node);
      } else if (!closed.empty()) {
        nodes.open(closed.back());
        closed.pop_back();
      }
      const NodeId from = random() % size;
      NodeId expected = from;
      while (expected < size && nodes.units(expected, unit, 1) == 0) ++expected;
      CHECK(nodes.next_roomy(from, need_of(unit, 1)) == expected);
      Amount total = 0;
      for (NodeId each = 0; each < size; ++each) total += nodes.free(each)[0];
      CHECK(nodes.total_free(0) == total);
    }
  }
}
