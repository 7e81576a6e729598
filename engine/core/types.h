// Types and constants that every part of the engine shares.
#pragma once
#include <bit>
#include <cstdint>
#include <limits>

namespace thinktime {

using Time = double;          // seconds; whole seconds stay exact up to 2^53
using JobId = std::uint32_t;  // slot in the job table
using Processors = std::int32_t;

inline constexpr Time kNever = std::numeric_limits<Time>::infinity();
inline constexpr JobId kNoJob = std::numeric_limits<JobId>::max();

inline constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

// Bits that have the same order as the numbers, negative ones included.
inline std::uint64_t ascending(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);  // -0.0 becomes 0.0
  return bits & kSign ? ~bits : bits ^ kSign;
}
inline double from_ascending(std::uint64_t bits) { return std::bit_cast<double>(bits & kSign ? bits ^ kSign : ~bits); }

}  // namespace thinktime
