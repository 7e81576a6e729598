// Options of a policy from the dict of its Python spec.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <vector>

#include "core/options.h"

namespace thinktime {

using OptionColumn = nanobind::ndarray<const double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

inline Options options_of(const nanobind::dict& values) {
  Options options;
  for (auto [name, value] : values) {
    const auto key = nanobind::cast<std::string>(name);
    if (nanobind::isinstance<nanobind::bool_>(value)) {
      options.set(key, nanobind::cast<bool>(value));
    } else if (nanobind::isinstance<nanobind::str>(value)) {
      options.set(key, nanobind::cast<std::string>(value));
    } else if (OptionColumn column; nanobind::try_cast(value, column, false)) {
      options.set(key, std::make_shared<const std::vector<double>>(column.data(), column.data() + column.shape(0)));
    } else if (!value.is_none() && key != "policy") {
      options.set(key, nanobind::cast<double>(value));
    }
  }
  return options;
}

}  // namespace thinktime
