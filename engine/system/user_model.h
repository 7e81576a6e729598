// A user model decides when each job is submitted; it hears of every end and may answer with submissions.
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
  // Asked at every event, so kept as values: a model sets them whenever its plans change.
  Time next_ = kNever;     // time of the next submission, kNever if none is planned
  Time horizon_ = kNever;  // instants from here on cannot be simulated yet: an unknown submission may come first
  // Records may be anywhere, and are fetched early: of the job that is likely to be submitted next, and of the one whose
  // submission has just been planned.
  JobId upcoming_ = kNobody;
  JobId just_planned_ = kNobody;
};

}  // namespace thinktime
