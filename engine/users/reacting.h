// What reacting user models share: a heap of planned submissions, and their names.
//
// Of submissions at one instant, the first is the one with the least rank: its place in the order in which
// submissions became known (ties = "planned"), or the job's row in the log (ties = "original").
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/end_queue.h"
#include "users/plan.h"
#include "users/user_model.h"

namespace thinktime {

class Reacting : public UserModel {
 protected:
  void plan(Time submit, std::uint32_t rank, JobId job) {
    planned_.push(End(submit, rank, job));
    next_ = planned_.next();
  }
  JobId front() const { return planned_.entries().front().job(); }
  JobId take() {
    const JobId job = planned_.pop();
    look_ahead();
    return job;
  }
  // Takes the front and plans another job instead.
  JobId take_and_plan(Time submit, std::uint32_t rank, JobId job) {
    const JobId taken = planned_.replace(End(submit, rank, job));
    look_ahead();
    return taken;
  }

 private:
  void look_ahead() {
    next_ = planned_.next();
    upcoming_ = planned_.entries().empty() ? kNobody : front();
  }

  EndQueue planned_;
};

// Jobs are in the table before the first instant, and a job's id is its row in the workload.
using UsersFactory = std::function<std::unique_ptr<UserModel>(const Plan&)>;

// A model's file registers itself under the name of its Python spec.
struct RegisterUsers {
  RegisterUsers(const std::string& name, UsersFactory factory);
};

std::unique_ptr<UserModel> make_users(const std::string& name, const Plan& plan);

}  // namespace thinktime
