// The scanner and the writer for Python. Columns become NumPy arrays without a copy.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <utility>
#include <vector>

#include "binding/arrays.h"
#include "binding/checks.h"
#include "binding/module.h"
#include "io/swf_scanner.h"
#include "io/swf_writer.h"

namespace nb = nanobind;
using namespace thinktime::io;

namespace {

using thinktime::Input;
using thinktime::require;
using thinktime::require_numbers;
using thinktime::to_numpy;

constexpr double kMostLines = 9e15;  // integers are exact below this

using Array = nb::ndarray<nb::numpy>;
using Texts = nb::typed<nb::tuple, Array, Array, Array, nb::bytes>;
using Batch = nb::typed<nb::tuple, nb::typed<nb::list, Array>, Array, Texts>;

// (line, field, end, blob): text k is blob[end[k-1]:end[k]].
Texts to_python(TextTable table) {
  nb::bytes blob(table.blob.data(), table.blob.size());
  return nb::make_tuple(to_numpy(std::move(table.line)), to_numpy(std::move(table.field)),
                        to_numpy(std::move(table.end)), blob);
}

// (list of 18 columns, lines, spellings)
Batch drain(SwfScanner& scanner) {
  SwfBatch batch = scanner.drain();
  nb::list fields;
  for (auto& field : batch.fields) fields.append(to_numpy(std::move(field)));
  return nb::make_tuple(fields, to_numpy(std::move(batch.line)), to_python(std::move(batch.spellings)));
}

nb::typed<nb::dict, nb::str, int> counts(const SwfScanner& scanner) {
  const SwfCounts& c = scanner.counts();
  nb::typed<nb::dict, nb::str, int> out;
  out["lines"] = c.lines;
  out["comments"] = c.comments;
  out["blanks"] = c.blanks;
  out["malformed"] = c.malformed;
  out["jobs"] = c.jobs;
  out["first_job_line"] = c.first_job_line;
  return out;
}

nb::bytes format(const nb::list& fields, Input<double> line, Input<std::int64_t> spelling_line,
                 Input<std::uint8_t> spelling_field, Input<std::int64_t> spelling_end, nb::bytes blob) {
  if (nb::len(fields) != kFields) throw nb::value_error("a row must have 18 fields");
  SwfRows rows{{}, line.data(), line.size()};
  std::vector<Input<double>> held;  // keeps the columns alive and typed while they are read
  for (int k = 0; k < kFields; ++k) {
    held.push_back(nb::cast<Input<double>>(fields[static_cast<std::size_t>(k)]));
    if (held.back().size() != rows.count) throw nb::value_error("columns differ in length");
    rows.fields[static_cast<std::size_t>(k)] = held.back().data();
  }
  require(spelling_field.size() == spelling_line.size() && spelling_end.size() == spelling_line.size(),
          "the arrays differ in length");
  std::int64_t before = 0;  // texts are contiguous in the blob
  for (std::size_t k = 0; k < spelling_end.size(); before = spelling_end.data()[k++])
    require(spelling_end.data()[k] >= before && spelling_end.data()[k] <= static_cast<std::int64_t>(blob.size()),
            "a spelling lies outside its text");
  require_numbers(line, [](double value) { return !(std::abs(value) > kMostLines); }, "a line", "a number of a line");
  const SpellingView spellings{spelling_line.data(), spelling_field.data(), spelling_end.data(), blob.c_str(),
                               spelling_line.size()};
  std::string text;
  {
    nb::gil_scoped_release release;
    text = format_rows(rows, spellings);
  }
  return nb::bytes(text.data(), text.size());
}

}  // namespace

void bind_swf(nb::module_& m) {
  nb::class_<SwfScanner>(m, "SwfScanner")
      .def(nb::init<>())
      .def("feed",
           [](SwfScanner& scanner, nb::bytes data) {
             nb::gil_scoped_release release;
             scanner.feed(data.c_str(), data.size());
           })
      .def("finish", &SwfScanner::finish)
      .def("drain", &drain)
      .def("counts", &counts)
      .def("errors", [](const SwfScanner& scanner) { return to_python(scanner.errors()); })
      .def("comments", [](const SwfScanner& scanner) { return to_python(scanner.comments()); });
  m.def("swf_format", &format);
}
