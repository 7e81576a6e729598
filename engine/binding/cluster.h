// A cluster from a dict of arrays and options.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <optional>

#include "binding/arrays.h"
#include "binding/checks.h"
#include "binding/own_allocator.h"
#include "core/options.h"
#include "platform/cluster.h"

namespace thinktime {

inline std::vector<Amount> amounts_of(const nanobind::dict& values, const char* name) {
  const auto array = nanobind::cast<Indices>(values[name]);
  return {array.data(), array.data() + array.shape(0)};
}

// A registered allocator, or one written in Python.
inline AllocatorFactory allocator_of(const nanobind::dict& platform) {
  if (platform.contains("policy"))
    return [&](const Nodes& nodes, const Options& options) {
      return std::make_unique<OwnAllocator>(nanobind::borrow(platform["policy"]), nodes, options);
    };
  return [name = nanobind::cast<std::string>(platform["allocator"])](const Nodes& nodes, const Options& options) {
    return make_allocator(name, nodes, options);
  };
}

// Null on a counted machine.
inline std::unique_ptr<Cluster> cluster_of(const std::optional<nanobind::dict>& platform, const Options& options) {
  if (!platform) return nullptr;
  const auto resources = nanobind::cast<std::size_t>((*platform)["resources"]);
  std::vector<Amount> capacity = amounts_of(*platform, "capacity");
  if (resources == 0 || capacity.empty() || capacity.size() % resources)
    throw std::invalid_argument("capacity must have one amount per node and resource");
  for (const Amount amount : capacity)
    if (amount < 0) throw std::invalid_argument("capacities must be 0 or more");
  return std::make_unique<Cluster>(Nodes(std::move(capacity), resources), allocator_of(*platform), options,
                                   amounts_of(*platform, "pools"));
}

// The node requests of the jobs of one load() call.
struct NodeRequests {
  std::optional<Indices> shapes, shape, pool_start, pool, pool_amount;

  std::vector<PoolUse> pools_of(std::size_t i) const {
    std::vector<PoolUse> uses;
    if (!pool_start) return uses;
    for (std::int64_t k = pool_start->data()[i]; k < pool_start->data()[i + 1]; ++k)
      uses.push_back({static_cast<std::uint32_t>(pool->data()[k]), pool_amount->data()[k]});
    return uses;
  }

  void check(std::size_t jobs) const {
    if (!shapes || !shape || shape->shape(0) != jobs)
      throw std::invalid_argument("on a cluster every job needs a shape");
    require_between(*shape, -1, kMostRows, "the shape of a job");
    if (!pool_start) return;
    if (!pool || !pool_amount || pool->shape(0) != pool_amount->shape(0) || pool_start->shape(0) != jobs + 1)
      throw std::invalid_argument("the pools of the jobs are incomplete");
    require_between(*pool, 0, kMostRows, "the number of a pool");
    std::int64_t before = 0;
    for (std::size_t i = 0; i <= jobs; ++i) {
      const std::int64_t at = pool_start->data()[i];
      if (at < before || at > static_cast<std::int64_t>(pool->shape(0)))
        throw std::invalid_argument("the pools of the jobs are out of order");
      before = at;
    }
  }
};

}  // namespace thinktime
