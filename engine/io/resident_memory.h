// How much memory the process holds now, where the system says so in a file.
#pragma once
#include <cstdint>

namespace thinktime {

std::int64_t resident_bytes();  // 0 where /proc/self/statm does not exist

}  // namespace thinktime
