// Users who work in batches: the mechanism of three models. Zakay and Feitelson 2014.
//
// Each user has a next batch. It becomes available when the previous batch is completely submitted and all batches it
// depends on have ended. The model then determines the arrival of its first job; the other jobs keep their recorded
// distances. The first batch of a user arrives at its recorded time.
#pragma once
#include <vector>

#include "users/reacting.h"

namespace thinktime {

class BatchUsers : public Reacting {
 public:
  JobId submit() override;
  void ended(const JobTable& jobs, JobId job, Time now) override;

 protected:
  using Index = std::uint32_t;

  // A batch that becomes available.
  struct Available {
    Index batch;
    Index user;
    Time now;
    bool waited;    // for an end; false if the submission of the previous batch came last
    Time response;  // response time of the user's last ended job; 0 if none
  };

  // A derived class calls begin_all() when it is complete.
  explicit BatchUsers(const Plan& plan);
  void begin_all();
  virtual Time arrival(const Available& available) = 0;

  std::size_t users() const { return users_.size(); }
  std::size_t batches() const { return batches_.size() - 1; }

 private:
  struct Batch {
    Time begin = 0;           // first submission: recorded, then simulated
    Time submitted = kNever;  // when its last job was submitted
    Time freed = -kNever;     // when the last batch it depends on ended
    Index to_submit = 0;      // jobs
    Index to_end = 0;         // jobs
    Index waits_for = 0;      // unfinished batches that it depends on
    Index user = 0;
    JobId first = kNoJob;
    Unit ties;
    std::size_t dependents = 0;  // index of the first; they end where those of the next batch begin
  };
  struct User {
    Index next;  // the batch that is not available yet
    Index past;  // one past the user's last batch
    Time response = 0;
  };
  struct Member {
    Time offset;  // after the batch's first job
    Index batch;
    JobId next = kNoJob;
  };

  void take_users(const Plan& plan);
  void take_jobs(const Plan& plan);
  void take_dependencies(const Plan& plan);
  void look_at(Index user, Time now);  // checks whether the user's next batch is available
  void begin(Index batch, Time time);

  std::vector<Batch> batches_;  // one extra, for the end of the last batch's dependents
  std::vector<User> users_;
  std::vector<Member> jobs_;  // by row
  std::vector<Index> dependents_;
};

// Lists of delays, one per user, in one array.
class Pools {
 public:
  Pools(const Plan& plan, const std::string& name, std::size_t pools);

  bool empty(std::size_t pool) const { return start_[pool] == start_[pool + 1]; }

  // The value selected by a uniform number in [0, 1); 0 if the list is empty.
  Time pick(std::size_t pool, double uniform) const {
    const auto size = static_cast<double>(start_[pool + 1] - start_[pool]);
    return size > 0 ? values_[static_cast<std::size_t>(start_[pool]) + static_cast<std::size_t>(uniform * size)] : 0.0;
  }

 private:
  std::vector<std::int64_t> start_;
  std::vector<Time> values_;
};

}  // namespace thinktime
