// Reacting users whose log is read in blocks. A model learns of recorded jobs as they are read, and its horizon is a
// lower bound of the time at which a job that is not read yet can be submitted.
#pragma once
#include <memory>
#include <string>

#include "core/plan.h"
#include "core/registry.h"
#include "system/user_model.h"

namespace thinktime {

class StreamedUsers : public UserModel {
 public:
  struct Recorded {
    JobId job;
    std::uint32_t row;
    Time submit, end;  // as recorded; the end is known and not before the submission
    double user;
  };

  virtual void read(const Recorded& job) = 0;  // in (submit, row) order
  virtual void settle() = 0;                   // a block was read
  virtual void close() = 0;                    // the log was read
  virtual std::uint64_t session(JobId job) const = 0;
  std::size_t waiting() const { return waiting_; }

 protected:
  std::size_t waiting_ = 0;  // jobs that were read and not submitted
};

using RegisterStreamedUsers = Registry<StreamedUsers, const Plan&>;

inline std::unique_ptr<StreamedUsers> make_streamed_users(const std::string& name, const Plan& plan) {
  return RegisterStreamedUsers::make("user model in a stream", name, plan);
}

}  // namespace thinktime
