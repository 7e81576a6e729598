// Shared by reacting user models: a heap of planned submissions, and the registry.
//
// With ties = "planned", submissions of one instant are in the order in which they became known. Jobs that share a
// recorded instant, and share an instant again, keep the log's order at the place of the first that became known; so a
// simulation without delays reproduces the log. With ties = "original", all ties are in the order of the log.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/end_queue.h"
#include "core/plan.h"
#include "core/registry.h"
#include "system/user_model.h"

namespace thinktime {

class Reacting : public UserModel {
 protected:
  // A session or a batch, which becomes known as a whole: its jobs take consecutive places. Few units share a recorded
  // instant with other units; the places of their jobs are determined when they become known.
  struct Unit {
    std::uint32_t place = 0;  // of its next job
    bool shares = false;
  };

  // Which units share a recorded instant with another; `unit` is the unit of each job, jobs in (recorded time, row).
  std::vector<bool> take_ties(const Plan& plan, Plan::Indices unit, std::size_t units);

  // Makes a unit known; then, if it shares an instant, each of its jobs in order.
  void make_known(Unit& unit, std::uint32_t jobs) {
    unit.place = known_;
    known_ += jobs;
  }
  void make_known(Unit& unit, Time submit, JobId job) {
    const std::uint32_t place = unit.place++;
    places_[job] = together_[job] == kNoJob ? place : with_the_others(submit, job, place);
  }

  // Ties between equal places are broken by row.
  std::uint32_t place_of(Unit& unit, JobId job) { return by_log_ ? 0 : unit.shares ? places_[job] : unit.place++; }

  void plan(Time submit, std::uint32_t place, JobId job) {
    queue_.push(End(submit, place, job));
    next_ = queue_.next();
  }
  JobId front() const { return queue_.entries().front().job(); }
  JobId take() {
    const JobId job = queue_.pop();
    look_ahead();
    return job;
  }
  // Removes the front and plans another job.
  JobId take_and_plan(Time submit, std::uint32_t place, JobId job) {
    const JobId taken = queue_.replace(End(submit, place, job));
    just_planned_ = job;
    look_ahead();
    return taken;
  }

 private:
  std::uint32_t with_the_others(Time submit, JobId job, std::uint32_t place) {
    return first_known_.try_emplace({together_[job], submit}, place).first->second;
  }
  void look_ahead() {
    next_ = queue_.next();
    upcoming_ = queue_.entries().empty() ? kNoJob : front();
  }

  EndQueue queue_;  // planned submissions
  bool by_log_ = false;
  std::uint32_t known_ = 0;            // number of submissions known so far
  std::vector<std::uint32_t> places_;  // by job of a unit that shares: its place
  // by job: the first job of its recorded instant, if several units share it; else kNoJob
  std::vector<JobId> together_;
  std::map<std::pair<JobId, Time>, std::uint32_t> first_known_;  // (together_, submission) -> place of the first
};

// All jobs are in the table before the first instant, and a job's id is its row in the workload.
using RegisterUsers = Registry<UserModel, const Plan&>;

inline std::unique_ptr<UserModel> make_users(const std::string& name, const Plan& plan) {
  return RegisterUsers::make("user model", name, plan);
}

}  // namespace thinktime
