// Rigid users submit at the recorded times, whatever happens to their jobs.
//
// Jobs may be given in portions (constant-memory runs); until the last one is there, the simulation stops short
// of the latest submission it knows, because more jobs may follow at that same instant.
#pragma once
#include <deque>

#include "system/user_model.h"

namespace thinktime {

class Rigid : public UserModel {
 public:
  Rigid() { horizon_ = -kNever; }

  // Jobs arrive here in (submit, original order).
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
