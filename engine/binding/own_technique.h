// A self-scheduling technique written in Python (src/thinktime/applications/own_technique.py). Each call takes the GIL,
// which the simulation holds anyway.
#pragma once
#include <nanobind/nanobind.h>

#include "applications/technique.h"
#include "binding/arrays.h"

namespace thinktime {

class OwnTechnique : public Technique {
 public:
  // `technique.begin(tasks, workers, mean_s, deviation_s, overhead_s, speeds, key_low, key_high)` returns the functions
  // chunk(remaining, worker) and done(worker, tasks, work_s, total_s) of one loop; done may be None.
  explicit OwnTechnique(nanobind::object technique)
      : technique_(std::move(technique)),
        begin_(technique_.attr("begin")),
        adaptive_(nanobind::cast<bool>(technique_.attr("adaptive"))) {}
  ~OwnTechnique() override {
    nanobind::gil_scoped_acquire acquire;
    for (nanobind::object* held : {&chunk_, &done_, &begin_, &technique_}) held->reset();
  }

  void begin(const LoopFacts& facts) override {
    nanobind::gil_scoped_acquire acquire;
    const auto speeds = array_of<double>(facts.speeds.size(), [&](std::size_t i) { return facts.speeds[i]; });
    const auto loop = nanobind::cast<nanobind::tuple>(begin_(facts.tasks, facts.cores, facts.mean_s, facts.deviation_s,
                                                             facts.overhead_s, speeds, facts.key_low, facts.key_high));
    chunk_ = loop[0];
    done_ = loop[1];
  }
  std::int64_t chunk(std::int32_t core, std::int64_t remaining) override {
    nanobind::gil_scoped_acquire acquire;
    return nanobind::cast<std::int64_t>(chunk_(remaining, core));
  }
  void done(std::int32_t core, std::int64_t tasks, double work_s, double total_s) override {
    nanobind::gil_scoped_acquire acquire;
    if (!done_.is_none()) done_(core, tasks, work_s, total_s);
  }
  bool adaptive() const override { return adaptive_; }

 private:
  nanobind::object technique_, begin_, chunk_, done_;
  bool adaptive_;
};

}  // namespace thinktime
