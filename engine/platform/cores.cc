#include "platform/cores.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace thinktime {

Cores::Cores(const std::vector<std::int64_t>& on_node) : first_{0} {
  for (const std::int64_t cores : on_node) {
    lowest_.push_back(first_.back());
    first_.push_back(static_cast<Core>(first_.back() + cores));
  }
  free_.assign(first_.back() / kWord + 1, ~std::uint64_t{0});
}

void Cores::take(NodeId node, std::uint32_t cores, std::vector<Core>& taken) {
  const Core past = first_[node + 1];
  Core core = lowest_[node];
  while (cores > 0 && core < past) {
    const std::uint64_t rest = free_[core / kWord] >> (core % kWord);
    if (rest == 0) {
      core = static_cast<Core>((core / kWord + 1) * kWord);
      continue;
    }
    core += static_cast<Core>(std::countr_zero(rest));
    if (core >= past) break;
    free_[core / kWord] &= ~(std::uint64_t{1} << (core % kWord));
    taken.push_back(core++);
    --cores;
  }
  if (cores > 0) throw std::invalid_argument("a job needs more cores on a node than are free");
  lowest_[node] = core;
}

void Cores::give(Core core) {
  free_[core / kWord] |= std::uint64_t{1} << (core % kWord);
  Core& lowest = lowest_[node(core)];
  lowest = std::min(lowest, core);
}

NodeId Cores::node(Core core) const {
  return static_cast<NodeId>(std::upper_bound(first_.begin(), first_.end(), core) - first_.begin() - 1);
}

std::vector<CoreSpan> spans_of(std::span<const Core> cores) {
  std::vector<CoreSpan> spans;
  for (const Core core : cores) {
    if (!spans.empty() && spans.back().first + spans.back().cores == core) {
      ++spans.back().cores;
    } else {
      spans.push_back({core, 1});
    }
  }
  return spans;
}

}  // namespace thinktime
