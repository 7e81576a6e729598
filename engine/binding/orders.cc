// The keys of a queue order for jobs given as arrays, for tests and benchmarks.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include "binding/arrays.h"
#include "binding/checks.h"
#include "binding/module.h"
#include "core/native_functions.h"
#include "schedulers/native.h"
#include "schedulers/order.h"

namespace nb = nanobind;
using namespace thinktime;

namespace {

Output<double> order_keys(const std::string& order, double deadline_factor, const Doubles& submit,
                          const Doubles& estimate, const Doubles& processors, const Doubles& user, double now) {
  require_equal_lengths({submit.shape(0), estimate.shape(0), processors.shape(0), user.shape(0)});
  require_numbers(
      processors, [](double n) { return n >= 0 && n <= static_cast<double>(kMostProcessors); }, "processors",
      "between 0 and 2^31");
  Options options;
  options.set("deadline_factor", deadline_factor);
  const auto columns = std::make_shared<JobColumns>(std::vector<std::string>{"user"});
  for (std::size_t i = 0; i < user.shape(0); ++i) columns->set(0, static_cast<JobId>(i), user.data()[i]);
  options.set("columns", ReadColumns(columns));
  const Order keys(order, options);
  Job job{};
  return array_of<double>(submit.shape(0), [&](std::size_t i) {
    job.submit = submit.data()[i];
    job.estimate = estimate.data()[i];
    job.processors = static_cast<Processors>(processors.data()[i]);
    job.row = static_cast<std::uint32_t>(i);
    return keys.key(static_cast<JobId>(i), job, now);
  });
}

}  // namespace

void bind_orders(nb::module_& m) {
  m.def("allow_native", &allow_native, nb::arg("address"));
  m.def("order_keys", &order_keys, nb::arg("order"), nb::arg("deadline_factor"), nb::arg("submit"), nb::arg("estimate"),
        nb::arg("processors"), nb::arg("user"), nb::arg("now"));
}
