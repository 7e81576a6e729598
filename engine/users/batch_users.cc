#include "users/batch_users.h"

namespace thinktime {

BatchUsers::BatchUsers(const Plan& plan) {
  take_users(plan);
  take_jobs(plan);
  take_dependencies(plan);
}

void BatchUsers::take_users(const Plan& plan) {
  const auto begin = plan.times("begin_s");
  const auto starts = plan.starts("user_start", plan.indices("user_start").size() - 1, begin.size());
  batches_.resize(begin.size() + 1);
  for (std::size_t u = 0; u + 1 < starts.size(); ++u) {
    const User user{static_cast<Index>(starts[u]), static_cast<Index>(starts[u + 1])};
    Plan::require(user.next < user.past, "user_start", "has a user without batches");
    for (Index b = user.next; b < user.past; ++b) batches_[b].user = static_cast<Index>(u);
    users_.push_back(user);
  }
  for (std::size_t b = 0; b < begin.size(); ++b) batches_[b].begin = begin[b];
}

// Jobs are in (submit, row) order, so each job of a batch follows the previous one.
void BatchUsers::take_jobs(const Plan& plan) {
  const auto offset = plan.times("offset_s");
  const auto batch = plan.pointing("batch", offset.size(), batches());
  std::vector<JobId> last(batches(), kNoJob);
  jobs_.reserve(offset.size());
  for (JobId job = 0; job < offset.size(); ++job) {
    const auto b = static_cast<Index>(batch[job]);
    jobs_.push_back({offset[job], b});
    (last[b] == kNoJob ? batches_[b].first : jobs_[last[b]].next) = job;
    last[b] = job;
    ++batches_[b].to_submit;
    ++batches_[b].to_end;
  }
  for (const JobId job : last) Plan::require(job != kNoJob, "batch", "has one without jobs");
  const std::vector<bool> shares = take_ties(plan, batch, batches());
  for (std::size_t b = 0; b < batches(); ++b) batches_[b].ties.shares = shares[b];
}

// Inverts the dependencies: from the batches that each depends on to those that depend on each, in the same order.
void BatchUsers::take_dependencies(const Plan& plan) {
  const auto on = plan.pointing("depends_on", plan.indices("depends_on").size(), batches());
  const auto starts = plan.starts("depends_start", batches(), on.size());
  for (const std::int64_t b : on) ++batches_[static_cast<std::size_t>(b) + 1].dependents;
  for (std::size_t b = 1; b < batches_.size(); ++b) batches_[b].dependents += batches_[b - 1].dependents;
  dependents_.resize(on.size());
  std::vector<std::size_t> filled(batches(), 0);
  for (std::size_t b = 0; b < batches(); ++b) {
    batches_[b].waits_for = static_cast<Index>(starts[b + 1] - starts[b]);
    for (auto k = static_cast<std::size_t>(starts[b]); k < static_cast<std::size_t>(starts[b + 1]); ++k) {
      const auto earlier = static_cast<std::size_t>(on[k]);
      dependents_[batches_[earlier].dependents + filled[earlier]++] = static_cast<Index>(b);
    }
  }
}

void BatchUsers::begin_all() {
  for (User& user : users_) {
    const Index first = user.next++;
    begin(first, batches_[first].begin);
  }
}

JobId BatchUsers::submit() {
  const Time now = next();
  const Member& member = jobs_[front()];
  Batch& batch = batches_[member.batch];
  if (--batch.to_submit > 0)
    return take_and_plan(batch.begin + jobs_[member.next].offset, place_of(batch.ties, member.next), member.next);
  const JobId job = take();
  batch.submitted = now;
  look_at(batch.user, now);
  return job;
}

void BatchUsers::ended(const JobTable& jobs, JobId job, Time now) {
  const Index b = jobs_[job].batch;
  User& user = users_[batches_[b].user];
  user.response = now - jobs[job].submit;
  if (--batches_[b].to_end > 0) return;
  for (std::size_t k = batches_[b].dependents; k < batches_[b + 1].dependents; ++k) {
    Batch& later = batches_[dependents_[k]];
    if (--later.waits_for == 0) later.freed = now;
  }
  look_at(batches_[b].user, now);
}

void BatchUsers::look_at(Index u, Time now) {
  User& user = users_[u];
  if (user.next == user.past) return;
  const Batch& previous = batches_[user.next - 1];
  const Batch& batch = batches_[user.next];
  if (previous.submitted == kNever || batch.waits_for > 0) return;
  const bool waited = batch.freed >= previous.submitted;
  const Index b = user.next++;
  begin(b, arrival({b, u, now, waited, user.response}));
}

void BatchUsers::begin(Index b, Time time) {
  Batch& batch = batches_[b];
  batch.begin = time;
  make_known(batch.ties, batch.to_submit);
  for (JobId job = batch.first; batch.ties.shares && job != kNoJob; job = jobs_[job].next)
    make_known(batch.ties, time + jobs_[job].offset, job);
  plan(time, place_of(batch.ties, batch.first), batch.first);
}

Pools::Pools(const Plan& plan, const std::string& name, std::size_t pools)
    : start_(copied(plan.starts(name + "_start", pools, plan.times(name + "_s").size()))),
      values_(copied(plan.times(name + "_s"))) {}

}  // namespace thinktime
