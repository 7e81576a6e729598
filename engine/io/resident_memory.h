// The resident memory of the process.
#pragma once
#include <cstdint>

namespace thinktime {

std::int64_t resident_bytes();  // 0 if /proc/self/statm does not exist

}  // namespace thinktime
