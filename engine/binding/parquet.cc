// Encoders of Parquet's pages for Python; the file around them is written there.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <limits>
#include <stdexcept>
#include <string>

#include "binding/arrays.h"
#include "binding/module.h"
#include "io/parquet_values.h"

namespace nb = nanobind;
using thinktime::Input;

namespace {

// What `encode` returns, computed without the GIL.
template <class Encode>
nb::bytes encoded(Encode encode) {
  std::string out;
  {
    nb::gil_scoped_release release;
    out = encode();
  }
  return nb::bytes(out.data(), out.size());
}

nb::bytes compressed(nb::bytes page) {
  if (page.size() > std::numeric_limits<std::int32_t>::max())
    throw std::invalid_argument("a page of a Parquet file is larger than 2 GiB: write fewer rows at once");
  return encoded(
      [&] { return thinktime::io::lz4_block({reinterpret_cast<const unsigned char*>(page.c_str()), page.size()}); });
}

}  // namespace

void bind_parquet(nb::module_& m) {
  m.def("parquet_delta_packed", [](Input<std::int64_t> values) {
    return encoded([&] { return thinktime::io::delta_packed({values.data(), values.size()}); });
  });
  m.def("parquet_byte_stream_split", [](Input<double> values) {
    return encoded([&] { return thinktime::io::byte_stream_split({values.data(), values.size()}); });
  });
  m.def("parquet_lz4", &compressed);
}
