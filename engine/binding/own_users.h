// A user model written in Python: called at each end, it returns submissions. Each call takes the GIL.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

#include "users/reacting.h"

namespace thinktime {

class OwnUsers : public Reacting {
 public:
  // `model` has begin() and ended(row, time, status), which return (row, submit time) for each planned job, already
  // checked in Python.
  explicit OwnUsers(nanobind::object model) : model_(std::move(model)), ended_(model_.attr("ended")) {
    announce(model_.attr("begin")());
  }
  ~OwnUsers() override {
    nanobind::gil_scoped_acquire acquire;
    ended_.reset();
    model_.reset();
  }

  JobId submit() override { return take(); }

  void ended(const JobTable& jobs, JobId job, Time now) override {
    nanobind::gil_scoped_acquire acquire;
    announce(ended_(jobs[job].row, now, static_cast<int>(jobs[job].state)));
  }

 private:
  void announce(const nanobind::object& submissions) {
    for (const auto& [row, time] : nanobind::cast<std::vector<std::pair<JobId, Time>>>(submissions))
      plan(time, known_++, row);
  }

  nanobind::object model_, ended_;
  std::uint32_t known_ = 0;  // number of submissions so far
};

}  // namespace thinktime
