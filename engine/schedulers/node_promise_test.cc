#include "schedulers/node_promise.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "simulation/system_state.h"

using namespace thinktime;

namespace {

constexpr std::size_t kResources = 2;

// A cluster with running jobs, one blocked head and candidates.
struct World {
  explicit World(std::mt19937& random, const std::string& allocator, NodeId nodes)
      : random(random), state(1000, cluster(random, allocator, nodes)) {
    shapes = state.cluster()->add_shapes(std::vector<Amount>{1, 0, 2, 1, 1, 1});
    state.capacity_changed();
    state.set_now(100);
  }

  static std::unique_ptr<Cluster> cluster(std::mt19937& random, const std::string& allocator, NodeId nodes) {
    std::vector<Amount> capacity;
    for (NodeId node = 0; node < nodes; ++node)
      capacity.insert(capacity.end(), {Amount(2 + random() % 5), Amount(1 + random() % 3)});
    Options options;
    options.set("ranked", double{kResources});
    const auto make = [&](const Nodes& all, const Options& given) { return make_allocator(allocator, all, given); };
    return std::make_unique<Cluster>(Nodes(std::move(capacity), kResources), make, options, std::vector<Amount>{});
  }

  JobId submit(Processors processors, Time length) {
    const auto row = static_cast<std::uint32_t>(state.jobs());
    const JobId id = state.add(
        {.submit = 0, .duration = length, .estimate = length, .length = length, .processors = processors, .row = row});
    state.cluster()->add_job(id, shapes[random() % shapes.size()], {});
    state.join(id);
    promise.submitted(state, id);
    return id;
  }
  void start(JobId id) {
    state.start(id);
    promise.started(state, id);
    running.push_back(id);
  }
  // Fills the cluster with jobs of random lengths.
  void fill() {
    for (int k = 0; k < 30; ++k) {
      const JobId id = submit(static_cast<Processors>(1 + random() % 4), 1 + random() % 50);
      if (state.has_room(id)) start(id);
    }
  }

  // Whether the head fits at `time`, if every running job ends when it is expected to.
  bool head_fits(JobId head, Time time) const {
    const Nodes& nodes = state.cluster()->nodes();
    std::vector<Amount> free = nodes.all_free();
    for (const JobId id : running)
      if (std::max(state.job(id).expected_end(), state.now()) <= time)
        each_node(state.cluster()->placement(id), [&](NodeId node, Processors units) {
          for (std::size_t r = 0; r < kResources; ++r)
            free[node * kResources + r] += state.cluster()->unit(id)[r] * units;
        });
    std::int64_t all = 0, run = 0, longest = 0;
    for (NodeId node = 0; node < nodes.size(); ++node) {
      const std::int64_t units = units_in(&free[node * kResources], state.cluster()->unit(head));
      all += units;
      run = units > 0 ? run + units : 0;
      longest = std::max(longest, run);
    }
    return (state.cluster()->allocator().adds_up() ? all : longest) >= state.job(head).processors;
  }
  Time plain_shadow(JobId head) const {
    std::vector<Time> ends;
    for (const JobId id : running) ends.push_back(std::max(state.job(id).expected_end(), state.now()));
    std::ranges::sort(ends);
    for (const Time end : ends)
      if (head_fits(head, end)) return end;
    return kNever;
  }

  std::mt19937& random;
  SystemState state;
  NodePromise promise;
  std::vector<std::uint32_t> shapes;
  std::vector<JobId> running;
};

// A head that does not fit now but fits on the empty cluster; kNoJob if none was found.
JobId blocked_head(World& world) {
  for (int k = 0; k < 20; ++k) {
    const JobId id = world.submit(static_cast<Processors>(1 + world.random() % 25), 10 + world.random() % 30);
    if (world.state.holds(id) && !world.state.has_room(id)) return id;
  }
  return kNoJob;
}

}  // namespace

TEST_CASE("the shadow is the first expected end at which the head finds nodes") {
  std::mt19937 random(16);
  for (const char* allocator : {"first-fit", "best-fit", "contiguous"})
    for (int trial = 0; trial < 150; ++trial) {
      World world(random, allocator, 4 + random() % 40);
      world.fill();
      const JobId head = blocked_head(world);
      if (head == kNoJob) continue;
      world.promise.make(world.state, head, true);
      CHECK(world.promise.shadow() == world.plain_shadow(head));
    }
}

TEST_CASE("no admitted candidate takes the head's nodes at the shadow") {
  std::mt19937 random(17);
  int beyond = 0;
  for (const char* allocator : {"first-fit", "best-fit", "worst-fit", "contiguous"})
    for (int trial = 0; trial < 80; ++trial) {
      World world(random, allocator, 4 + random() % 40);
      world.fill();
      const JobId head = blocked_head(world);
      if (head == kNoJob) continue;
      world.promise.make(world.state, head, true);
      const Time shadow = world.promise.shadow();
      for (int k = 0; k < 30; ++k) {
        const JobId id = world.submit(static_cast<Processors>(1 + random() % 5), 1 + random() % 90);
        const Gap gap = world.promise.gap(world.state);
        if (!gap.admits(world.state.job(id)) || !world.promise.admit(world.state, id)) continue;
        beyond += !gap.over_by_shadow(world.state.job(id));
        world.start(id);
        CHECK(world.head_fits(head, shadow));
      }
    }
  CHECK(beyond > 100);  // the interesting case occurs
}

TEST_CASE("a kept promise has the same shadow after jobs have started") {
  std::mt19937 random(18);
  for (int trial = 0; trial < 100; ++trial) {
    World world(random, "first-fit", 4 + random() % 30);
    world.fill();
    const JobId head = blocked_head(world);
    if (head == kNoJob) continue;
    world.promise.make(world.state, head, true);
    const Time shadow = world.promise.shadow();
    const JobId id = world.submit(1, 1);
    if (world.promise.gap(world.state).admits(world.state.job(id)) && world.promise.admit(world.state, id))
      world.start(id);
    world.promise.keep(world.state, head);
    CHECK(world.promise.shadow() == shadow);
  }
}
