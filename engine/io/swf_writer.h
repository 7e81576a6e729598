// The writer: columns in, lines of a log out, in the archive's column widths.
#pragma once
#include <array>
#include <cstddef>
#include <string>

#include "io/swf_scanner.h"

namespace thinktime::io {

struct SwfRows {
  std::array<const double*, kFields> fields;  // NaN is printed as -1
  const double* line;                         // line of the source, the key into the spellings; NaN: none
  std::size_t count;
};

// Where the spellings of a table are, sorted by line then field as the scanner made them.
struct SpellingView {
  const std::int64_t* line;
  const std::uint8_t* field;
  const std::int64_t* end;
  const char* blob;
  std::size_t count;
};

// Lines for all rows. A spelling is used where it still reads as the value in the column.
std::string format_rows(const SwfRows& rows, const SpellingView& spellings);

}  // namespace thinktime::io
