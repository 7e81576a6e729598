// Shared by reacting users in streams: jobs come in units (sessions or batches) that become known as a whole.
//
// Jobs of one recorded instant are taken together, when a later instant is read. Submissions of one simulated instant
// are ordered by Place: the event that made their unit known, the unit, the job. So the order does not depend on when a
// job was read. Jobs that share a recorded instant keep the log's order at the place of the first that became known.
#pragma once
#include <algorithm>
#include <map>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "users/streamed.h"

namespace thinktime {

class StreamedUnits : public StreamedUsers {
 public:
  explicit StreamedUnits(const Plan& plan) : by_log_(plan.options.text("ties", "planned") == "original") {
    horizon_ = -kNever;
  }

  void read(const Recorded& job) override {
    if (!edge_.empty() && job.submit > edge_.front().submit) take_instant();
    edge_.push_back(job);
    ++waiting_;
  }

  void settle() override {
    if (edge_.empty()) return;
    horizon_ = edge_.front().submit;
    bound_all();
  }

  void close() override {
    if (!edge_.empty()) take_instant();
    closed_ = true;
    horizon_ = kNever;
  }

  JobId submit() override {
    const Planned top = queue_.top();
    queue_.pop();
    --waiting_;
    ++events_;
    const Member member = members_[top.job];
    Unit& unit = units_[member.unit];
    unit.next = member.next;
    unit.planned = false;
    if (member.group) leave_group(member.group);
    if (unit.next != kNoJob) plan_next(unit);
    submitted(member.unit, top.submit);
    look();
    return top.job;
  }

  void ended(const JobTable&, JobId job, Time now) override {
    ++events_;
    left(members_[job].unit, now);
    look();
  }

  std::uint64_t session(JobId job) const override { return members_[job].session; }

 protected:
  using UnitId = std::uint32_t;
  static constexpr UnitId kNone = ~UnitId{0};

  struct Unit {
    Time recorded_begin = 0, begin = 0;
    std::uint64_t order = 0;     // among units that one event makes known
    std::uint64_t known_at = 0;  // the event that made it known; 0: none
    std::uint32_t jobs = 0;
    JobId next = kNoJob, last = kNoJob;  // first job that is not submitted; last job
    bool known = false, planned = false;
    Time lateness() const { return begin - recorded_begin; }
  };

  // A derived class assigns the job to a unit, calling new_unit() and add().
  virtual void take(const Recorded& job) = 0;
  virtual void free_units(UnitId unit) = 0;  // calls make_known for units of the same user that may begin
  virtual void submitted(UnitId, Time) {}    // a job of the unit
  virtual void left(UnitId unit, Time now) = 0;
  virtual void bound_all() = 0;  // calls limit

  UnitId new_unit() {
    if (unused_.empty()) {
      units_.emplace_back();
      return static_cast<UnitId>(units_.size() - 1);
    }
    const UnitId id = unused_.back();
    unused_.pop_back();
    units_[id] = {};
    return id;
  }
  void forget_unit(UnitId id) { unused_.push_back(id); }

  void add(UnitId id, std::uint64_t session, const Recorded& job) {
    Unit& unit = units_[id];
    if (job.job >= members_.size()) members_.resize(job.job + 1);
    members_[job.job] = {id, session, kNoJob, job.submit - unit.recorded_begin, job.row, unit.jobs++, 0};
    (unit.next == kNoJob ? unit.next : members_[unit.last].next) = job.job;
    unit.last = job.job;
  }

  void make_known(UnitId id, Time begin, std::uint64_t event) {
    Unit& unit = units_[id];
    unit.known = true;
    unit.begin = begin;
    unit.known_at = event;
    freed_.push_back(id);
  }

  // Plans the units that have just become known.
  void begin_freed() {
    for (const UnitId id : freed_)
      for (JobId job = units_[id].next; job != kNoJob; job = members_[job].next) join_group(job);
    for (const UnitId id : freed_) plan_next(units_[id]);
    freed_.clear();
  }

  // No job that is not taken can be submitted before `time`.
  void limit(Time time) { horizon_ = std::min(horizon_, time - kRounding); }
  bool all_known() const { return closed_ || edge_.empty(); }
  Time first_not_taken() const { return edge_.front().submit; }

  std::vector<Unit> units_;
  std::uint64_t events_ = 0;  // submissions and ends so far

 private:
  static constexpr Time kRounding = 1e-3;  // reading a little further is harmless

  struct Place {
    std::uint64_t event = 0, unit = 0;
    std::uint32_t job = 0;  // in the unit
    auto operator<=>(const Place&) const = default;
  };
  struct Planned {
    Time submit;
    Place place;
    std::uint32_t row;
    JobId job;
    bool operator>(const Planned& other) const {
      return std::tie(submit, place, row) > std::tie(other.submit, other.place, other.row);
    }
  };
  struct Member {
    UnitId unit = kNone;
    std::uint64_t session = 0;
    JobId next = kNoJob;
    Time offset = 0;
    std::uint32_t row = 0, place = 0;
    std::uint64_t group = 0;  // jobs of one recorded instant in several units; 0: none
  };
  struct Group {
    std::size_t left = 0;                             // jobs that are not submitted
    std::vector<std::pair<Time, Place>> first_known;  // by simulated submission
  };

  // All jobs of the instant become members of units before any of them is planned.
  void take_instant() {
    const std::vector<Recorded> jobs = std::exchange(edge_, {});
    for (const Recorded& job : jobs) take(job);
    form_group(jobs);
    for (const Recorded& job : jobs) free_units(members_[job.job].unit);
    for (const Recorded& job : jobs)
      if (units_[members_[job.job].unit].known) join_group(job.job);
    freed_.clear();  // their jobs are all of this instant
    for (const Recorded& job : jobs) {
      Unit& unit = units_[members_[job.job].unit];
      if (unit.known && !unit.planned && unit.next != kNoJob) plan_next(unit);
    }
    look();
  }

  void plan_next(Unit& unit) {
    const Member& member = members_[unit.next];
    const Time submit = unit.begin + member.offset;
    queue_.push({submit, place_of(unit, member, submit), member.row, unit.next});
    unit.planned = true;
  }

  void form_group(const std::vector<Recorded>& jobs) {
    const UnitId first = members_[jobs.front().job].unit;
    const auto other = [&](const Recorded& job) { return members_[job.job].unit != first; };
    if (by_log_ || std::none_of(jobs.begin(), jobs.end(), other)) return;
    groups_[++groups_formed_].left = jobs.size();
    for (const Recorded& job : jobs) members_[job.job].group = groups_formed_;
  }

  void join_group(JobId job) {
    const Member& member = members_[job];
    if (member.group == 0) return;
    const Unit& unit = units_[member.unit];
    const Time submit = unit.begin + member.offset;
    const Place mine{unit.known_at, unit.order, member.place};
    auto& known = groups_[member.group].first_known;
    const auto at = std::find_if(known.begin(), known.end(), [&](const auto& each) { return each.first == submit; });
    if (at == known.end()) {
      known.emplace_back(submit, mine);
    } else {
      at->second = std::min(at->second, mine);
    }
  }

  void leave_group(std::uint64_t group) {
    const auto at = groups_.find(group);
    if (--at->second.left == 0) groups_.erase(at);
  }

  Place place_of(const Unit& unit, const Member& member, Time submit) const {
    if (by_log_) return {};
    if (member.group)
      for (const auto& [time, place] : groups_.at(member.group).first_known)
        if (time == submit) return place;
    return {unit.known_at, unit.order, member.place};
  }

  void look() {
    next_ = queue_.empty() ? kNever : queue_.top().submit;
    upcoming_ = queue_.empty() ? kNoJob : queue_.top().job;
  }

  bool by_log_;
  bool closed_ = false;
  std::vector<Recorded> edge_;  // jobs of the last recorded instant that was read
  std::vector<UnitId> unused_, freed_;
  std::vector<Member> members_;  // by slot
  std::map<std::uint64_t, Group> groups_;
  std::uint64_t groups_formed_ = 0;
  std::priority_queue<Planned, std::vector<Planned>, std::greater<>> queue_;
};

}  // namespace thinktime
