// The tasks of a loop: lengths in seconds at speed 1, drawn from a distribution or given.
//
// Each job has its own random stream, selected by its row, so all techniques and schedulers see the same tasks. Lengths
// are drawn until they add up to the job's work. Without variation, each core has exactly tasks_per_core equal tasks.
#pragma once
#include <vector>

#include "core/random.h"
#include "system/application.h"

namespace thinktime {

class Tasks {
 public:
  explicit Tasks(const Plan& plan);

  void draw(const Work& work, std::vector<double>& lengths) const;

  // Mean and deviation of a task of this job by the distribution, known to techniques in advance.
  double mean(const Work& work) const { return work.each / per_core_; }
  double deviation(const Work& work) const { return variation_ * mean(work); }

 private:
  enum class Law { equal, normal, gamma, exponential };

  static Law law_of(const std::string& name, double variation);
  bool given(const Work& work, std::vector<double>& lengths) const;
  double draw_one(Philox& random, double mean) const;

  double per_core_;   // mean tasks per core
  double variation_;  // deviation / mean
  Law law_;
  std::uint64_t low_, high_;  // key of the streams; a job adds its row
  // Given lengths: the job in row k has start_[k] to start_[k + 1]. Empty: lengths are drawn.
  std::vector<std::int64_t> start_;
  std::vector<double> lengths_;
};

}  // namespace thinktime
