// Numbers of jobs that policies read by name: columns of the workload, by slot, so that a stream holds only those of
// the jobs in memory.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/types.h"

namespace thinktime {

class JobColumns {
 public:
  explicit JobColumns(std::vector<std::string> names) : names_(std::move(names)), values_(names_.size()) {}

  const std::vector<std::string>& names() const { return names_; }
  std::size_t size() const { return names_.size(); }
  // The place of a column; throws if there is none.
  std::size_t place(const std::string& name) const {
    for (std::size_t k = 0; k < names_.size(); ++k)
      if (names_[k] == name) return k;
    throw std::invalid_argument("the column " + name + " is missing");
  }
  double at(std::size_t column, JobId id) const { return values_[column][id]; }
  void set(std::size_t column, JobId id, double value) {
    if (id >= values_[column].size()) values_[column].resize(id + 1);
    values_[column][id] = value;
  }
  void reserve(std::size_t jobs) {
    for (std::vector<double>& column : values_) column.reserve(jobs);
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<double>> values_;  // by column, then by slot
};

}  // namespace thinktime
