// A Plan from a dict of arrays and options.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <string>
#include <vector>

#include "binding/arrays.h"
#include "binding/options.h"
#include "core/plan.h"

namespace thinktime {

template <class Array>
bool set_array(Plan& plan, const std::string& name, nanobind::handle value) {
  Array array;
  if (!nanobind::try_cast(value, array, false)) return false;
  plan.set(name, std::span(array.data(), array.shape(0)));  // the caller keeps the array alive as long as the plan
  return true;
}

// Arrays and options of a user model, a plugin or an application model, by name.
inline Plan plan_of(const nanobind::dict& values) {
  Plan plan;
  nanobind::dict others;
  for (auto [key, value] : values) {
    const auto name = nanobind::cast<std::string>(key);
    if (!set_array<Doubles>(plan, name, value) && !set_array<Indices>(plan, name, value) &&
        !set_array<Words>(plan, name, value))
      others[key] = value;
  }
  plan.options = options_of(others);
  return plan;
}

}  // namespace thinktime
