// The cores of the platform by number: which are free, and which a job has. A job gets the lowest that are free on
// each of its nodes; a counted machine is one node.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/types.h"
#include "platform/nodes.h"

namespace thinktime {

using Core = std::uint32_t;  // number on the platform: the cores of node 0 come first

// `cores` neighbours from `first` on.
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

  std::vector<Core> first_;          // [node]; of the node beyond the last, how many cores there are
  std::vector<std::uint64_t> free_;  // a bit a core
  std::vector<Core> lowest_;         // [node]: no core below is free
};

// Neighbours together.
std::vector<CoreSpan> spans_of(std::span<const Core> cores);

}  // namespace thinktime
