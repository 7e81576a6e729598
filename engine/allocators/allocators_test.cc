// Every registered allocator on random clusters: what it finds can be taken, and it finds nodes where there are some.
#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

#include "platform/cluster.h"

using namespace thinktime;

namespace {

// The Python specs give the number of resources that rankings count.
Options ranked_by_both() {
  Options options;
  options.set("ranked", 2.0);
  return options;
}

struct World {
  World(const std::string& name, NodeId size, std::mt19937& random)
      : cluster(Nodes(capacity(size, random), 2),
                [&](const Nodes& nodes, const Options& options) { return make_allocator(name, nodes, options); },
                ranked_by_both(), {10}) {
    shapes = cluster.add_shapes(std::vector<Amount>{1, 0, 2, 1, 0, 1, 4, 2});
  }

  static std::vector<Amount> capacity(NodeId size, std::mt19937& random) {
    std::vector<Amount> all;
    for (NodeId node = 0; node < size; ++node) all.insert(all.end(), {Amount(4 + random() % 5), Amount(random() % 4)});
    return all;
  }

  // The units of a job that fit on all nodes together, and on the longest run of neighbours.
  std::pair<std::int64_t, std::int64_t> room(JobId id) const {
    std::int64_t all = 0, run = 0, longest = 0;
    for (NodeId node = 0; node < cluster.nodes().size(); ++node) {
      const std::int64_t units = units_in(cluster.nodes().free(node), cluster.unit(id));
      all += units;
      run = units > 0 ? run + units : 0;
      longest = std::max(longest, run);
    }
    return {all, longest};
  }

  Cluster cluster;
  std::vector<std::uint32_t> shapes;
  std::vector<Job> jobs;
};

// A placement has the job's units, on different nodes in which they fit.
void check_placement(const World& world, JobId id) {
  std::set<NodeId> seen;
  Processors units = 0;
  each_node(world.cluster.placement(id), [&](NodeId node, Processors here) {
    CHECK(seen.insert(node).second);
    units += here;
  });
  CHECK(units == world.jobs[id].processors);
}

void check_free(const World& world, const std::set<JobId>& running) {
  const Nodes& nodes = world.cluster.nodes();
  std::vector<Amount> free;
  for (NodeId node = 0; node < nodes.size(); ++node)
    free.insert(free.end(), nodes.capacity(node), nodes.capacity(node) + 2);
  for (const JobId id : running)
    each_node(world.cluster.placement(id), [&](NodeId node, Processors units) {
      for (std::size_t r = 0; r < 2; ++r) free[2 * node + r] -= world.cluster.unit(id)[r] * units;
    });
  CHECK(nodes.all_free() == free);
}

}  // namespace

TEST_CASE("first fit visits nodes in their order, best fit the fullest first, worst fit the emptiest") {
  const std::map<std::string, NodeId> expected{{"first-fit", 0}, {"best-fit", 1}, {"worst-fit", 2}};
  for (const auto& [name, node] : expected) {
    Cluster cluster(
        Nodes({5, 1, 3, 1, 8, 1}, 2),
        [&, name = name](const Nodes& nodes, const Options& options) { return make_allocator(name, nodes, options); },
        ranked_by_both(), {});
    cluster.add_job(0, cluster.add_shapes(std::vector<Amount>{1, 0})[0], {});
    const Job job{.submit = 0, .duration = 1, .estimate = 1, .length = 1, .processors = 2, .row = 0};
    REQUIRE(cluster.find(0, job, 0));
    CHECK(cluster.found().front().first == node);
  }
}

TEST_CASE("a pool refuses what it cannot give") {
  std::mt19937 random(11);
  World world("first-fit", 4, random);
  const Job job{.submit = 0, .duration = 1, .estimate = 1, .length = 1, .processors = 1, .row = 0};
  for (JobId id = 0; id < 2; ++id) world.cluster.add_job(id, world.shapes[0], {{0, 6}});
  CHECK(world.cluster.holds(0, job));
  REQUIRE(world.cluster.find(0, job, 0));
  world.cluster.take(0);
  CHECK_FALSE(world.cluster.find(1, job, 0));
  world.cluster.give(0);
  CHECK(world.cluster.find(1, job, 0));
}

TEST_CASE("random jobs: placements are valid, and found exactly where there is room") {
  for (const std::string& name : RegisterAllocator::names()) {
    if (name == "random" || name == "coolest-first") continue;  // they need streams, or temperatures
    CAPTURE(name);
    std::mt19937 random(12);
    for (const NodeId size : {1u, 40u, 9000u}) {  // with 8192 nodes and more, contiguous keeps runs
      World world(name, size, random);
      std::set<JobId> running;
      for (JobId id = 0; id < 300; ++id) {
        const auto most = static_cast<unsigned>(std::min<NodeId>(size, 60) * 4);
        world.jobs.push_back({.submit = 0,
                              .duration = 1,
                              .estimate = 1,
                              .length = 1,
                              .processors = static_cast<Processors>(1 + random() % most),
                              .row = id});
        world.cluster.add_job(id, world.shapes[random() % 4], {});
        const auto [all, longest] = world.room(id);
        const std::int64_t room = name == "contiguous" ? longest : all;
        const bool found = world.cluster.find(id, world.jobs[id], 0);
        CHECK(found == (room >= world.jobs[id].processors));
        if (found) {
          world.cluster.take(id);
          running.insert(id);
          check_placement(world, id);
        }
        while (!running.empty() && random() % 3 == 0) {
          const JobId gone = *std::next(running.begin(), static_cast<std::ptrdiff_t>(random() % running.size()));
          world.cluster.give(gone);
          running.erase(gone);
        }
      }
      check_free(world, running);
    }
  }
}
