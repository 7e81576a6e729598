// Options of a policy from the dict of its Python spec.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "core/options.h"

namespace thinktime {

inline Options options_of(const nanobind::dict& values) {
  Options options;
  for (auto [name, value] : values) {
    const auto key = nanobind::cast<std::string>(name);
    if (nanobind::isinstance<nanobind::bool_>(value)) {
      options.set(key, nanobind::cast<bool>(value));
    } else if (nanobind::isinstance<nanobind::str>(value)) {
      options.set(key, nanobind::cast<std::string>(value));
    } else if (!value.is_none() && key != "policy") {
      options.set(key, nanobind::cast<double>(value));
    }
  }
  return options;
}

}  // namespace thinktime
