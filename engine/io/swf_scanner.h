// The streaming scanner of SWF text: feed it pieces of any size, drain the rows scanned so far, continue. No input
// stops it; a line that is not a job, a comment or blank becomes an error record.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/column.h"

namespace thinktime::io {

constexpr int kFields = 18;
constexpr int kExtras = kFields;                               // "field" of the text after field 18
constexpr std::size_t kLongestLine = std::size_t{1} << 20;     // a longer line becomes an error record
constexpr std::size_t kExcerpt = 120;                          // bytes kept of a bad line
constexpr std::size_t kStoredErrors = 1000;                    // bad lines kept; all are counted
constexpr std::size_t kStoredComments = std::size_t{4} << 20;  // bytes of comments kept
constexpr std::size_t kLongestComment = std::size_t{1} << 16;  // bytes kept of one comment

enum class Fault : std::uint8_t { too_few_fields, not_a_number, overflow, line_too_long };

// Texts in one string: text k is blob[end[k-1], end[k]).
struct TextTable {
  std::vector<std::int64_t> line;   // 1-based line of the log
  std::vector<std::uint8_t> field;  // 0..17 a field, 18 the extras; for errors the Fault
  std::vector<std::int64_t> end;
  std::string blob;

  std::size_t size() const { return line.size(); }
  void add(std::int64_t at, std::uint8_t what, std::string_view text);
  void truncate(std::size_t size);
  std::string_view text(std::size_t k) const;
};

// Rows scanned since the last drain.
struct SwfBatch {
  std::array<Column, kFields> fields;  // as in the log: unknown is -1
  Column line;                         // 1-based line of each row
  TextTable spellings;                 // texts of non-canonical numbers, and extras
};

// lines = comments + blanks + malformed + jobs
struct SwfCounts {
  std::int64_t lines = 0;
  std::int64_t comments = 0;
  std::int64_t blanks = 0;
  std::int64_t malformed = 0;
  std::int64_t jobs = 0;
  std::int64_t first_job_line = 0;  // 0 if there is none yet; comments before it are the header
};

class SwfScanner {
 public:
  explicit SwfScanner(std::size_t longest_line = kLongestLine) : longest_line_(longest_line) {}

  void feed(const char* data, std::size_t size);
  void finish();  // the last line may lack its newline
  SwfBatch drain();

  const SwfCounts& counts() const { return counts_; }
  const TextTable& errors() const { return errors_; }
  const TextTable& comments() const { return comments_; }

 private:
  void keep_pending(const char* begin, const char* end);
  void scan_pending();
  void scan_line(const char* begin, const char* end);
  void scan_long_line(const char* begin);
  void scan_job(const char* begin, const char* p, const char* end);
  void add_row(const double* row);
  void add_comment(const char* begin, const char* end);
  void add_error(Fault fault, const char* begin, const char* end);

  std::size_t longest_line_;
  SwfBatch batch_;
  SwfCounts counts_;
  TextTable errors_;
  TextTable comments_;
  std::string pending_;  // an incomplete line
};

}  // namespace thinktime::io
