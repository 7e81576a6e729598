// Rigid users submit at the recorded times, independent of what happens to their jobs.
//
// Constant-memory runs load jobs in blocks. Until the last block is loaded, the simulation stops before the latest
// known submission, because more jobs may follow at that instant.
#pragma once
#include <deque>

#include "system/user_model.h"

namespace thinktime {

class Rigid : public UserModel {
 public:
  Rigid() { horizon_ = -kNever; }

  // Call it in (submit, original order).
  void plan(JobId job, Time submit) {
    if (planned_.empty()) next_ = submit;
    planned_.push_back({submit, job});
    horizon_ = submit;
  }
  void close() { horizon_ = kNever; }

  JobId submit() override {
    const JobId job = planned_.front().job;
    planned_.pop_front();
    next_ = planned_.empty() ? kNever : planned_.front().submit;
    return job;
  }

 private:
  struct Planned {
    Time submit;
    JobId job;
  };
  std::deque<Planned> planned_;
};

}  // namespace thinktime
