// Formats columns as SWF lines, in the archive's column widths.
#pragma once
#include <array>
#include <cstddef>
#include <string>

#include "io/swf_scanner.h"

namespace thinktime::io {

struct SwfRows {
  std::array<const double*, kFields> fields;  // NaN is printed as -1
  const double* line;                         // line of the source, the key of the spellings; NaN: none
  std::size_t count;
};

// A view of a table of spellings, sorted by line then field.
struct SpellingView {
  const std::int64_t* line;
  const std::uint8_t* field;
  const std::int64_t* end;
  const char* blob;
  std::size_t count;
};

// Formats all rows. Uses a spelling if it still parses to the value in the column.
std::string format_rows(const SwfRows& rows, const SpellingView& spellings);

}  // namespace thinktime::io
