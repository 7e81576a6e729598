#include "allocators/runs.h"

namespace thinktime {
namespace {

// The first part in which the run reaches the target; `units` fit on the run that ends before it.
template <class RunOf>
NodeId first_complete(NodeId part, NodeId past, std::int64_t need, std::int64_t& units, RunOf run_of) {
  for (; part < past; ++part) {
    const auto& run = run_of(part);
    if (units + run.head >= need || run.best >= need) return part;
    units = run.whole ? units + run.head : run.tail;
  }
  return past;
}

NodeId parts(NodeId of) { return (of + Changes::kBlock - 1) / Changes::kBlock; }

}  // namespace

NodeId Runs::complete_at(const Nodes& nodes, std::int64_t need) {
  constexpr NodeId k = Changes::kBlock;
  const NodeId blocks = parts(nodes.size()), groups = parts(blocks);
  std::int64_t units = 0;
  const NodeId group =
      first_complete(0, groups, need, units, [&](NodeId g) -> const Run& { return of_group(nodes, g); });
  if (group == groups) return nodes.size();
  const NodeId block = first_complete(group * k, std::min(blocks, (group + 1) * k), need, units,
                                      [&](NodeId b) -> const Run& { return of_block(nodes, b); });
  return first_complete(block * k, std::min(nodes.size(), (block + 1) * k), need, units,
                        [&](NodeId node) { return of_node(nodes, node); });
}

const Runs::Run& Runs::of_block(const Nodes& nodes, NodeId block) {
  Seen& seen = blocks_[block];
  if (seen.changes == changes_.blocks()[block]) return seen;
  seen = {};
  seen.changes = changes_.blocks()[block];
  const NodeId past = std::min(nodes.size(), (block + 1) * Changes::kBlock);
  for (NodeId node = block * Changes::kBlock; node < past; ++node) seen.append(of_node(nodes, node));
  return seen;
}

const Runs::Run& Runs::of_group(const Nodes& nodes, NodeId group) {
  Seen& seen = groups_[group];
  if (seen.changes == changes_.groups()[group]) return seen;
  seen = {};
  seen.changes = changes_.groups()[group];
  const NodeId past = std::min(parts(nodes.size()), (group + 1) * Changes::kBlock);
  for (NodeId block = group * Changes::kBlock; block < past; ++block) seen.append(of_block(nodes, block));
  return seen;
}

}  // namespace thinktime
