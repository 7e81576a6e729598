#include "io/swf_scanner.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "io/swf_writer.h"

using namespace thinktime::io;

namespace {

const std::string kRow = "1 0 5 100 4 -1 -1 4 200 -1 1 3 2 7 1 -1 -1 -1";

struct Scanned {
  SwfScanner scanner;
  SwfBatch batch;
};

// Scans a text in pieces of the given size.
Scanned scan(const std::string& text, std::size_t piece = std::string::npos, std::size_t longest = kLongestLine) {
  Scanned out{SwfScanner(longest), {}};
  for (std::size_t at = 0; at < text.size(); at += std::min(piece, text.size() - at))
    out.scanner.feed(text.data() + at, std::min(piece, text.size() - at));
  out.scanner.finish();
  out.batch = out.scanner.drain();
  return out;
}

std::vector<double> row(const SwfBatch& batch, std::size_t i) {
  std::vector<double> values;
  for (const auto& field : batch.fields) values.push_back(field.data()[i]);
  return values;
}

std::string written(const SwfBatch& batch) {
  SwfRows rows{{}, batch.line.data(), batch.line.size()};
  for (std::size_t k = 0; k < kFields; ++k) rows.fields[k] = batch.fields[k].data();
  const TextTable& texts = batch.spellings;
  return format_rows(rows, {texts.line.data(), texts.field.data(), texts.end.data(), texts.blob.data(), texts.size()});
}

void check_sums(const SwfCounts& counts) {
  CHECK(counts.lines == counts.comments + counts.blanks + counts.malformed + counts.jobs);
}

}  // namespace

TEST_CASE("a log has comments, blank lines, jobs and bad lines") {
  const Scanned found = scan("; UnixStartTime: 0\n\n" + kRow + "\nnot a job\n; late\n" + kRow + "\n");
  const SwfCounts& counts = found.scanner.counts();
  CHECK(counts.lines == 6);
  CHECK(counts.comments == 2);
  CHECK(counts.blanks == 1);
  CHECK(counts.malformed == 1);
  CHECK(counts.jobs == 2);
  CHECK(counts.first_job_line == 3);
  CHECK(found.batch.line.data()[1] == 6);
  CHECK(row(found.batch, 0) == std::vector<double>{1, 0, 5, 100, 4, -1, -1, 4, 200, -1, 1, 3, 2, 7, 1, -1, -1, -1});
  CHECK(found.scanner.errors().line[0] == 4);
}

TEST_CASE("the last line may lack its newline, and lines may end in CR LF") {
  CHECK(scan(kRow).scanner.counts().jobs == 1);
  CHECK(row(scan(kRow + "\r\n" + kRow).batch, 0) == row(scan(kRow).batch, 0));
}

TEST_CASE("faults have names") {
  const auto fault = [](const std::string& text, std::size_t longest = kLongestLine) {
    return static_cast<Fault>(scan(text, std::string::npos, longest).scanner.errors().field.at(0));
  };
  CHECK(fault("1 2 3\n") == Fault::too_few_fields);
  CHECK(fault("x" + kRow.substr(1) + "\n") == Fault::not_a_number);
  CHECK(fault("9007199254740993" + kRow.substr(1) + "\n") == Fault::overflow);
  CHECK(fault(kRow + "\n", 10) == Fault::line_too_long);
}

TEST_CASE("numbers that are spelled unusually are written as they were read") {
  const std::string text = "1 +3 5.50 1e2 4 -1 -1 4 200 -1 1 3 2 7 1 -1 -1 -1 extra words\n";
  const Scanned found = scan(text);
  CHECK(found.scanner.counts().jobs == 1);
  CHECK(row(found.batch, 0)[2] == 5.5);
  CHECK(row(found.batch, 0)[3] == 100);
  CHECK(scan(written(found.batch)).batch.spellings.blob == found.batch.spellings.blob);
  CHECK(written(scan(written(found.batch)).batch) == written(found.batch));
}

TEST_CASE("pieces of any size give the same columns as the whole text") {
  std::mt19937 random(9);
  const char* parts[] = {"; comment\n", "\n",     "bad line here\n", "1 2 3\n",
                         "\r\n",        "  \t\n", ";\r\n",           "999999999999999999999\n"};
  for (int trial = 0; trial < 100; ++trial) {
    std::string text;
    for (unsigned line = random() % 30; line > 0; --line) {
      if (random() % 2) {
        for (int k = 0; k < 18; ++k) text += std::to_string(random() % 1000) + (random() % 5 ? " " : "\t ");
        text += "\n";
      } else {
        text += parts[random() % std::size(parts)];
      }
    }
    const Scanned whole = scan(text, std::string::npos, 200);
    check_sums(whole.scanner.counts());
    for (const std::size_t piece : {1u, 2u, 7u, 64u}) {
      const Scanned pieces = scan(text, piece, 200);
      CHECK(pieces.scanner.counts().lines == whole.scanner.counts().lines);
      CHECK(pieces.scanner.counts().jobs == whole.scanner.counts().jobs);
      CHECK(pieces.scanner.errors().blob == whole.scanner.errors().blob);
      CHECK(pieces.scanner.comments().blob == whole.scanner.comments().blob);
      CHECK(written(pieces.batch) == written(whole.batch));
    }
  }
}

TEST_CASE("a drain between pieces loses no rows") {
  SwfScanner scanner;
  std::size_t rows = 0;
  for (int k = 0; k < 10; ++k) {
    scanner.feed((kRow + "\n").data(), 20);
    rows += scanner.drain().line.size();
    scanner.feed((kRow + "\n").data() + 20, kRow.size() + 1 - 20);
  }
  scanner.finish();
  CHECK(rows + scanner.drain().line.size() == 10);
}
