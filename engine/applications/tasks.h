// The tasks of a loop: lengths in seconds of a core of speed 1, drawn from a law or given.
//
// Every job has a random stream of its own, by its row, so all techniques and all schedulers see the same tasks.
// Lengths are drawn until they make up the job's work. Without variation there are exactly so many equal tasks a core.
#pragma once
#include <vector>

#include "core/random.h"
#include "system/application.h"

namespace thinktime {

class Tasks {
 public:
  explicit Tasks(const Plan& plan);

  void draw(const Work& work, std::vector<double>& lengths) const;

  // Of a task of this job, as the law has them: what techniques may know beforehand.
  double mean(const Work& work) const { return work.each / per_core_; }
  double deviation(const Work& work) const { return variation_ * mean(work); }

 private:
  enum class Law { equal, normal, gamma, exponential };

  static Law law_of(const std::string& name, double variation);
  bool given(const Work& work, std::vector<double>& lengths) const;
  double draw_one(Philox& random, double mean) const;

  double per_core_;   // tasks for each core, on average
  double variation_;  // deviation / mean
  Law law_;
  std::uint64_t low_, high_;  // the key of the streams; a job adds its row
  // Lengths that were given: of the job in row k from start_[k] to start_[k + 1]; none: they are drawn.
  std::vector<std::int64_t> start_;
  std::vector<double> lengths_;
};

}  // namespace thinktime
