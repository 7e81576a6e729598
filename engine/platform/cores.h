// The cores of the platform by number, and which are free. A job gets the lowest free cores on each of its nodes; a
// counted machine is one node.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/types.h"
#include "platform/nodes.h"

namespace thinktime {

using Core = std::uint32_t;  // number on the platform; the cores of node 0 come first

// `cores` adjacent cores from `first` on.
struct CoreSpan {
  Core first;
  std::uint32_t cores;
};

class Cores {
 public:
  explicit Cores(const std::vector<std::int64_t>& on_node);

  // Appends the lowest free cores of a node.
  void take(NodeId node, std::uint32_t cores, std::vector<Core>& taken);
  void give(Core core);

  Core first(NodeId node) const { return first_[node]; }
  NodeId node(Core core) const;

 private:
  static constexpr std::size_t kWord = 64;

  std::vector<Core> first_;          // [node]; first_[nodes] is the number of cores
  std::vector<std::uint64_t> free_;  // one bit per core
  std::vector<Core> lowest_;         // [node]: no core below is free
};

// Groups adjacent cores.
std::vector<CoreSpan> spans_of(std::span<const Core> cores);

}  // namespace thinktime
