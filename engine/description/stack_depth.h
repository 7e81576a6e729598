// Stack depth: how far below the top of a move-to-front list a job's value is found. Zakay and Feitelson 2014, 5.2.
//
// The values of a trace pass by in order. Each is looked for from the top; the first entry y that is equal, or with a
// tolerance t has |x - y| <= t * y, moves to the top as it is. A value that is not found is put on top.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace thinktime {

// By job: the 0-based depth at which its value was found, -1 where it was not. All values are known.
std::vector<std::int64_t> stack_depths(std::span<const double> values, double tolerance);

}  // namespace thinktime
