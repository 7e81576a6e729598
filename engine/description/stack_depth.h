// Stack depth: the position of a job's value in a move-to-front list. Zakay and Feitelson 2014, 5.2.
//
// Values are processed in order. Each value x is searched from the top; the first entry y with |x - y| <= t * y, for a
// tolerance t, moves to the top unchanged. A value that is not found is pushed on top.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace thinktime {

// Returns the 0-based depth per job, -1 if its value was not found. All values must be known.
std::vector<std::int64_t> stack_depths(std::span<const double> values, double tolerance);

}  // namespace thinktime
