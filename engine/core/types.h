// The words that every part of the engine shares.
#pragma once
#include <cstdint>
#include <limits>

namespace thinktime {

using Time = double;           // seconds; whole seconds stay exact up to 2^53
using JobId = std::uint32_t;   // slot in the job table
using Processors = std::int32_t;

inline constexpr Time kNever = std::numeric_limits<Time>::infinity();
inline constexpr JobId kNobody = std::numeric_limits<JobId>::max();

}  // namespace thinktime
