// A user model decides when each job is submitted. It is called at every end and may plan submissions.
#pragma once
#include "core/jobs.h"

namespace thinktime {

class UserModel {
 public:
  virtual ~UserModel() = default;
  virtual JobId submit() = 0;                          // takes the next submission
  virtual void ended(const JobTable&, JobId, Time) {}  // a job ended, was killed or was rejected

  Time next() const { return next_; }
  Time horizon() const { return horizon_; }
  JobId upcoming() const { return upcoming_; }
  JobId just_planned() const { return just_planned_; }

 protected:
  // Values instead of virtual functions, because the loop reads them at every event. A model sets them whenever its
  // plans change.
  Time next_ = kNever;     // time of the next submission, kNever if none is planned
  Time horizon_ = kNever;  // later instants cannot be simulated yet: an unknown submission may come first
  // Jobs whose records the loop prefetches: the job that is likely to be submitted next, and the job whose submission
  // was just planned.
  JobId upcoming_ = kNoJob;
  JobId just_planned_ = kNoJob;
};

}  // namespace thinktime
