// The widths are those of the archive's converter, so its logs are reproduced byte for byte; a wider number shifts the
// rest of its line, as there.
#include "io/swf_writer.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "io/swf_number.h"

namespace thinktime::io {
namespace {

constexpr std::size_t kWidth[kFields] = {5, 8, 6, 6, 4, 6, 5, 4, 6, 5, 2, 3, 3, 3, 2, 2, 2, 2};
constexpr std::size_t kTypicalLine = 96;  // bytes to reserve

void append_right(std::string& out, std::string_view text, std::size_t width) {
  if (text.size() < width) out.append(width - text.size(), ' ');
  out.append(text);
}

std::string_view text_of(const SpellingView& spellings, std::size_t k) {
  const auto from = k == 0 ? 0 : spellings.end[k - 1];
  return {spellings.blob + from, static_cast<std::size_t>(spellings.end[k] - from)};
}

// The first spelling at or after a line. Rows mostly follow the log's order, so `hint` is tried first.
std::size_t first_spelling(const SpellingView& spellings, double line, std::size_t hint) {
  if (std::isnan(line)) return spellings.count;
  const auto wanted = static_cast<std::int64_t>(line);
  const bool here = hint < spellings.count && spellings.line[hint] >= wanted;
  if (here && (hint == 0 || spellings.line[hint - 1] < wanted)) return hint;
  const auto* at = std::lower_bound(spellings.line, spellings.line + spellings.count, wanted);
  return static_cast<std::size_t>(at - spellings.line);
}

bool reads_as(std::string_view text, double value) {
  const Number number = parse_number(text.data(), text.data() + text.size());
  return number.spelling <= Spelling::respelled && number.value == value;
}

}  // namespace

std::string format_rows(const SwfRows& rows, const SpellingView& spellings) {
  std::string out;
  std::string number;
  out.reserve(rows.count * kTypicalLine);
  std::size_t next = 0;  // spelling after the last one used
  for (std::size_t row = 0; row < rows.count; ++row) {
    const double line = rows.line[row];
    next = first_spelling(spellings, line, next);
    auto is_next = [&](int field) {
      return next < spellings.count && static_cast<double>(spellings.line[next]) == line &&
             spellings.field[next] == field;
    };
    for (int field = 0; field < kFields; ++field) {
      const double stored = rows.fields[static_cast<std::size_t>(field)][row];
      const double value = std::isnan(stored) ? -1.0 : stored;
      number.clear();
      if (is_next(field) && reads_as(text_of(spellings, next), value)) number = text_of(spellings, next);
      if (number.empty()) append_number(number, value);
      if (is_next(field)) ++next;
      if (field > 0) out.push_back(' ');
      append_right(out, number, kWidth[field]);
    }
    if (is_next(kExtras)) out.append(1, ' ').append(text_of(spellings, next++));
    out.push_back('\n');
  }
  return out;
}

}  // namespace thinktime::io
