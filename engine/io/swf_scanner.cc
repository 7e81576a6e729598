// Scans lines of a log. A line is parsed in place between its first byte and its newline; the newline is
// the sentinel that ends every loop, so the short-integer path tests no bounds.
#include "io/swf_scanner.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "io/swf_number.h"

namespace thinktime::io {
namespace {

constexpr std::array<bool, 256> blank_table() {
  std::array<bool, 256> table{};
  for (const unsigned char c : {' ', '\t', '\r', '\v', '\f'}) table[c] = true;
  return table;
}
constexpr std::array<bool, 256> kBlank = blank_table();
constexpr int kShortInteger = 15;  // digits that always fit float64

bool is_blank(char c) { return kBlank[static_cast<unsigned char>(c)]; }
bool ends_token(char c) { return c == ' ' || c == '\n' || is_blank(c); }

const char* skip_blanks(const char* p) {
  while (is_blank(*p)) ++p;
  return p;
}

const char* token_end(const char* p) {
  while (!ends_token(*p)) ++p;
  return p;
}

const char* trim_right(const char* begin, const char* end) {
  while (end > begin && is_blank(end[-1])) --end;
  return end;
}

// A canonical integer of at most 15 digits at p: its end, or nullptr if the token is anything else.
const char* short_integer(const char* p, double& value) {
  const bool negative = *p == '-';
  const char* first = p + negative;
  const char* q = first;
  std::uint64_t sum = 0;
  for (unsigned digit; (digit = static_cast<unsigned char>(*q - '0')) <= 9; ++q) sum = sum * 10 + digit;
  const auto digits = q - first;
  if (digits == 0 || digits > kShortInteger || !ends_token(*q)) return nullptr;
  if (*first == '0' && (digits > 1 || negative)) return nullptr;
  const auto whole = static_cast<std::int64_t>(sum);
  value = static_cast<double>(negative ? -whole : whole);
  return q;
}

}  // namespace

void TextTable::add(std::int64_t at, std::uint8_t what, std::string_view text) {
  line.push_back(at);
  field.push_back(what);
  blob.append(text);
  end.push_back(static_cast<std::int64_t>(blob.size()));
}

void TextTable::truncate(std::size_t size) {
  if (size == this->size()) return;
  blob.resize(size == 0 ? 0 : static_cast<std::size_t>(end[size - 1]));
  line.resize(size);
  field.resize(size);
  end.resize(size);
}

std::string_view TextTable::text(std::size_t k) const {
  const auto from = k == 0 ? 0 : static_cast<std::size_t>(end[k - 1]);
  return std::string_view(blob).substr(from, static_cast<std::size_t>(end[k]) - from);
}

void SwfScanner::feed(const char* data, std::size_t size) {
  const char* const stop = data + size;
  const char* p = data;
  while (p < stop) {
    const auto* newline = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(stop - p)));
    if (newline == nullptr) return keep_pending(p, stop);
    if (pending_.empty()) {
      scan_line(p, newline);
    } else {
      keep_pending(p, newline);
      scan_pending();
    }
    p = newline + 1;
  }
}

void SwfScanner::finish() {
  if (!pending_.empty()) scan_pending();
}

SwfBatch SwfScanner::drain() { return std::exchange(batch_, SwfBatch{}); }

// Drops bytes beyond the longest line, so that a file without newlines needs bounded memory.
void SwfScanner::keep_pending(const char* begin, const char* end) {
  const std::size_t room = longest_line_ + 1 - pending_.size();
  pending_.append(begin, std::min(room, static_cast<std::size_t>(end - begin)));
}

void SwfScanner::scan_pending() {
  pending_.push_back('\n');
  scan_line(pending_.data(), pending_.data() + pending_.size() - 1);
  pending_.clear();
}

void SwfScanner::scan_line(const char* begin, const char* end) {
  ++counts_.lines;
  if (static_cast<std::size_t>(end - begin) > longest_line_) return scan_long_line(begin);
  const bool byte_order_mark = counts_.lines == 1 && end - begin >= 3 && std::memcmp(begin, "\xEF\xBB\xBF", 3) == 0;
  const char* p = skip_blanks(byte_order_mark ? begin + 3 : begin);
  if (p == end) {
    ++counts_.blanks;
  } else if (*p == ';') {
    add_comment(p + 1, end);
  } else {
    scan_job(begin, p, end);
  }
}

// Uses the first longest_line_ bytes only, so that the result does not depend on the pieces.
void SwfScanner::scan_long_line(const char* begin) {
  const char* const end = begin + longest_line_;
  const char* p = std::find_if_not(begin, end, is_blank);
  if (p < end && *p == ';') return add_comment(p + 1, end);
  add_error(Fault::line_too_long, begin, end);
}

void SwfScanner::scan_job(const char* begin, const char* p, const char* end) {
  double row[kFields];
  const std::size_t spellings_before = batch_.spellings.size();
  auto reject = [&](Fault fault) {
    batch_.spellings.truncate(spellings_before);
    add_error(fault, begin, end);
  };
  for (int field = 0; field < kFields; ++field) {
    p = skip_blanks(p);
    if (p == end) return reject(Fault::too_few_fields);
    if (const char* q = short_integer(p, row[field])) {
      p = q;
      continue;
    }
    const char* q = token_end(p);
    const Number number = parse_number(p, q);
    if (number.spelling == Spelling::not_a_number) return reject(Fault::not_a_number);
    if (number.spelling == Spelling::overflow) return reject(Fault::overflow);
    if (number.spelling == Spelling::respelled)
      batch_.spellings.add(counts_.lines, static_cast<std::uint8_t>(field), {p, q});
    row[field] = number.value;
    p = q;
  }
  p = skip_blanks(p);
  if (p < end) batch_.spellings.add(counts_.lines, kExtras, {p, trim_right(p, end)});
  add_row(row);
}

void SwfScanner::add_row(const double* row) {
  for (int field = 0; field < kFields; ++field) batch_.fields[static_cast<std::size_t>(field)].push_back(row[field]);
  batch_.line.push_back(static_cast<double>(counts_.lines));
  ++counts_.jobs;
  if (counts_.first_job_line == 0) counts_.first_job_line = counts_.lines;
}

void SwfScanner::add_comment(const char* begin, const char* end) {
  ++counts_.comments;
  if (comments_.blob.size() >= kStoredComments || comments_.size() >= kStoredComments / 8) return;
  end = begin + std::min(static_cast<std::size_t>(end - begin), kLongestComment);
  if (end > begin && end[-1] == '\r') --end;
  comments_.add(counts_.lines, 0, {begin, end});
}

void SwfScanner::add_error(Fault fault, const char* begin, const char* end) {
  ++counts_.malformed;
  if (errors_.size() >= kStoredErrors) return;
  end = begin + std::min(static_cast<std::size_t>(trim_right(begin, end) - begin), kExcerpt);
  errors_.add(counts_.lines, static_cast<std::uint8_t>(fault), {begin, end});
}

}  // namespace thinktime::io
