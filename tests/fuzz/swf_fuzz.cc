// Fuzz harness of the scanner and the writer. Whatever the bytes are: every line is accounted for, the pieces
// in which they arrive do not matter, what is written reads back as what was scanned, and its words are the source's.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "io/swf_scanner.h"
#include "io/swf_writer.h"

using namespace thinktime::io;

namespace {

constexpr std::size_t kShortLine = 512;  // lines may be this long here, so that too long ones are met

#define REQUIRE(condition)                                                 \
  do {                                                                     \
    if (!(condition)) {                                                    \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                        \
    }                                                                      \
  } while (false)

struct Scanned {
  SwfBatch batch;
  SwfCounts counts;
  TextTable errors, comments;
};

void append(TextTable& all, const TextTable& more) {
  for (std::size_t k = 0; k < more.size(); ++k) all.add(more.line[k], more.field[k], more.text(k));
}

void append(SwfBatch& all, const SwfBatch& more) {
  for (std::size_t f = 0; f < kFields; ++f)
    for (const double value : more.fields[f]) all.fields[f].push_back(value);
  for (const double line : more.line) all.line.push_back(line);
  append(all.spellings, more.spellings);
}

// Scans in pieces of `piece` bytes, draining after every eighth; 0 means all at once.
Scanned scan(std::string_view text, std::size_t piece, std::size_t longest_line) {
  Scanned out;
  SwfScanner scanner(longest_line);
  if (piece == 0) piece = text.size() + 1;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    const std::string_view part = text.substr(at, piece);
    char* copy = static_cast<char*>(std::malloc(part.size()));  // its own block: reading past it is caught
    std::memcpy(copy, part.data(), part.size());
    scanner.feed(copy, part.size());
    std::free(copy);
    if (at / piece % 8 == 7) append(out.batch, scanner.drain());
  }
  scanner.finish();
  append(out.batch, scanner.drain());
  out.counts = scanner.counts();
  out.errors = scanner.errors();
  out.comments = scanner.comments();
  return out;
}

bool same(const Column& a, const Column& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

bool same(const SwfBatch& a, const SwfBatch& b) {
  for (std::size_t f = 0; f < kFields; ++f)
    if (!same(a.fields[f], b.fields[f])) return false;
  return a.line.size() == b.line.size();
}

bool same(const TextTable& a, const TextTable& b) {
  return a.line == b.line && a.field == b.field && a.end == b.end && a.blob == b.blob;
}

void check_accounting(const Scanned& s, std::string_view text) {
  const SwfCounts& c = s.counts;
  std::int64_t lines = 0;
  for (const char byte : text) lines += byte == '\n';
  lines += !text.empty() && text.back() != '\n';
  REQUIRE(c.lines == lines);
  REQUIRE(c.lines == c.comments + c.blanks + c.malformed + c.jobs);
  REQUIRE(s.batch.line.size() == static_cast<std::size_t>(c.jobs));
  for (const auto& field : s.batch.fields) REQUIRE(field.size() == s.batch.line.size());
  for (std::size_t k = 1; k < s.batch.line.size(); ++k) REQUIRE(s.batch.line.data()[k - 1] < s.batch.line.data()[k]);
}

void check_same(const Scanned& a, const Scanned& b) {
  REQUIRE(a.counts.lines == b.counts.lines && a.counts.comments == b.counts.comments);
  REQUIRE(a.counts.blanks == b.counts.blanks && a.counts.malformed == b.counts.malformed);
  REQUIRE(a.counts.first_job_line == b.counts.first_job_line);
  REQUIRE(same(a.batch, b.batch) && same(a.batch.line, b.batch.line));
  REQUIRE(same(a.batch.spellings, b.batch.spellings));
  REQUIRE(same(a.errors, b.errors) && same(a.comments, b.comments));
}

std::string written(const SwfBatch& batch) {
  SwfRows rows{{}, batch.line.data(), batch.line.size()};
  for (std::size_t f = 0; f < kFields; ++f) rows.fields[f] = batch.fields[f].data();
  const TextTable& t = batch.spellings;
  return format_rows(rows, {t.line.data(), t.field.data(), t.end.data(), t.blob.data(), t.size()});
}

void check_round_trip(const SwfBatch& batch) {
  const std::string text = written(batch);
  const Scanned again = scan(text, 0, kLongestLine);
  REQUIRE(again.counts.jobs == again.counts.lines);
  REQUIRE(same(again.batch, batch));
  REQUIRE(again.batch.spellings.field == batch.spellings.field);
  REQUIRE(again.batch.spellings.blob == batch.spellings.blob);
  REQUIRE(written(again.batch) == text);
}

std::vector<std::string_view> split(std::string_view text, const char* separators) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    if (end > at || *separators == '\n') parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// Every word of a kept line is written as it stood there.
void check_words(const SwfBatch& batch, std::string_view text) {
  const std::vector<std::string_view> source = split(text, "\n");
  const std::string out = written(batch);
  const std::vector<std::string_view> lines = split(out, "\n");
  REQUIRE(lines.size() == batch.line.size());
  for (std::size_t row = 0; row < lines.size(); ++row) {
    std::string_view from = source[static_cast<std::size_t>(batch.line.data()[row]) - 1];
    if (batch.line.data()[row] == 1 && from.substr(0, 3) == "\xEF\xBB\xBF") from.remove_prefix(3);
    REQUIRE(split(from, " \t\r\v\f") == split(lines[row], " \t\r\v\f"));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t piece = 1 + (size + (size > 0 ? data[size / 2] : 0)) % 97;
  const Scanned whole = scan(text, 0, kShortLine);
  check_accounting(whole, text);
  check_same(whole, scan(text, piece, kShortLine));
  check_round_trip(whole.batch);
  check_words(whole.batch, text);
  return 0;
}
