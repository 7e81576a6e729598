#pragma once
#include <nanobind/nanobind.h>

namespace thinktime {

void bind_promises(nanobind::module_& m);

}  // namespace thinktime
