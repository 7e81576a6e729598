// Options of a policy from its Python spec, by name: a flag, a number or a text; also the columns of the workload that
// policies read, and the values that plugins publish.
#pragma once
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>

#include "core/job_columns.h"
#include "core/values.h"

namespace thinktime {

using ReadColumns = std::shared_ptr<const JobColumns>;
using Published = std::shared_ptr<Values>;

class Options {
 public:
  using Value = std::variant<bool, double, std::string, ReadColumns, Published>;

  void set(const std::string& name, Value value) { values_[name] = std::move(value); }
  bool flag(const std::string& name, bool otherwise) const { return get<bool>(name, otherwise); }
  double number(const std::string& name, double otherwise) const { return get<double>(name, otherwise); }
  std::string text(const std::string& name, const std::string& otherwise) const {
    return get<std::string>(name, otherwise);
  }
  ReadColumns columns() const { return get<ReadColumns>("columns", nullptr); }
  Published values() const { return get<Published>("values", nullptr); }

 private:
  template <class T>
  T get(const std::string& name, const T& otherwise) const {
    const auto at = values_.find(name);
    if (at == values_.end()) return otherwise;
    if (const T* value = std::get_if<T>(&at->second)) return *value;
    throw std::invalid_argument("option " + name + " has a value of the wrong type");
  }

  std::map<std::string, Value> values_;
};

}  // namespace thinktime
