// What policies may do to jobs besides starting them. The loop implements it.
#pragma once
#include "core/types.h"

namespace thinktime {

// What happens to a job that is aborted. The scheduler kills jobs; failures and plugins lose them.
enum class Fate : std::uint8_t { requeued, lost, killed };

class Actions {
 public:
  // Removes a waiting job; the caller removes it from its own queue. For its user the job has ended.
  virtual void reject(JobId id) = 0;

  // Removes a running job from its processors. A requeued job has `saved` seconds less to do, and `restart` seconds
  // more.
  virtual void abort(JobId id, Fate fate, Time saved, Time restart) = 0;

 protected:
  ~Actions() = default;
};

}  // namespace thinktime
