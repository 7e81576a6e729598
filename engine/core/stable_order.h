// A stable sort of rows by a number: radix sort by bytes, from the last to the first. Bytes that are equal in all keys
// are skipped, so whole numbers need few passes.
#pragma once
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "core/types.h"

namespace thinktime {

struct Keyed {
  std::uint64_t key;  // ascending(number)
  std::uint32_t row;
};

inline void sort_by_digit(const std::vector<Keyed>& from, std::vector<Keyed>& to, int shift) {
  std::array<std::uint32_t, 257> start{};  // first position of each byte value
  for (const Keyed& each : from) ++start[(each.key >> shift & 255) + 1];
  for (std::size_t digit = 0; digit < 256; ++digit) start[digit + 1] += start[digit];
  for (const Keyed& each : from) to[start[each.key >> shift & 255]++] = each;
}

inline void sort_stably(std::vector<Keyed>& rows) {
  std::uint64_t differ = 0;  // bits that differ between keys
  for (const Keyed& each : rows) differ |= each.key ^ rows.front().key;
  std::vector<Keyed> sorted(differ ? rows.size() : 0);
  for (int shift = 0; shift < 64; shift += 8) {
    if ((differ >> shift & 255) == 0) continue;
    sort_by_digit(rows, sorted, shift);
    std::swap(rows, sorted);
  }
}

}  // namespace thinktime
