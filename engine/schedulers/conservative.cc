// Conservative backfilling: each job gets a slot on submission, the earliest that delays no earlier slot.
// Feitelson and Weil 1998; Mu'alem and Feitelson 2001.
//
// When a job ends, each waiting job in turn is removed from the plan and put back at its earliest slot (compression).
// A job starts at its slot. If overruns are not known in advance (extend-blind), the plan is rebuilt in each pass,
// because the expected ends of overdue jobs move with the clock.
#include <algorithm>
#include <array>
#include <bit>

#include "platform/profile.h"
#include "schedulers/conservative_on_nodes.h"
#include "system/scheduler.h"

namespace thinktime {
namespace {

// Results of searches within one compression, by size and length: many waiting jobs are alike, and a search need not
// repeat where there was no room.
class Refused {
 public:
  void begin() {
    ++compression_;
    gained_.clear();
  }

  // The plan has gained room from this time on.
  void gained(Time from) { gained_.push_back(from); }

  // A lower bound on the start of such a job; may be raised.
  Time& until(Processors processors, Time length) {
    Entry& entry = entries_[slot_of(processors, length)];
    if (entry.compression != compression_ || entry.processors != processors || entry.length != length) {
      entry = {length, -kNever, compression_, gained_.size(), processors};
    }
    for (; entry.seen < gained_.size(); ++entry.seen) {
      // One second earlier than necessary, to allow for rounding.
      entry.until = std::min(entry.until, gained_[entry.seen] - length - 1);
    }
    return entry.until;
  }

 private:
  struct Entry {
    Time length = 0;
    Time until = 0;
    std::uint64_t compression = 0;  // that computed it
    std::size_t seen = 0;           // gains considered
    Processors processors = 0;
  };

  // A hash table with one entry per slot: on a collision the newer kind replaces the older.
  static std::size_t slot_of(Processors processors, Time length) {
    const std::uint64_t both = std::bit_cast<std::uint64_t>(length) ^ static_cast<std::uint64_t>(processors) << 20;
    return both * 0x9E3779B97F4A7C15u >> (64 - kBits);
  }

  static constexpr int kBits = 8;
  std::array<Entry, 1 << kBits> entries_;
  std::vector<Time> gained_;
  std::uint64_t compression_ = 0;
};

// Shared by both variants: keeps the queue in the order of joining and starts the jobs whose slot is due.
class Planner : public Scheduler {
 public:
  void submitted(const System& system, JobId id) override {
    const Job& job = system.job(id);
    waiting_.push_back({job.length, kNever, job.processors, id});
  }
  void waiting(const System&, std::vector<JobId>& jobs) const override {
    for (const Planned& planned : waiting_) jobs.push_back(planned.job);
  }

 protected:
  struct Planned {
    Time length;
    Time slot;  // kNever: no slot yet
    Processors processors;
    JobId job;

    Time end() const { return slot + length; }
    bool like(const Planned& other) const {
      return slot == other.slot && length == other.length && processors == other.processors;
    }
  };

  Profile& plan(const System& system) {
    if (!plan_) plan_ = std::make_unique<Profile>(system.processors());
    return *plan_;
  }

  void place(const System& system, Planned& planned) {
    planned.slot = plan_->earliest(system.now(), planned.length, planned.processors);
    plan_->take(planned.slot, planned.end(), planned.processors);
  }

  // Starts the jobs whose slot is due and that fit; calls started(job) for each. Returns the next slot.
  template <class Started>
  Time start_due(System& system, Started started) {
    Time next = kNever;
    std::size_t kept = 0;
    late_ = false;
    for (const Planned& planned : waiting_) {
      if (planned.slot <= system.now() && planned.processors <= system.free()) {
        system.start(planned.job);
        started(planned.job);
      } else {
        if (planned.slot > system.now())
          next = std::min(next, planned.slot);
        else
          late_ = true;
        waiting_[kept++] = planned;
      }
    }
    waiting_.resize(kept);
    return next;
  }

  std::unique_ptr<Profile> plan_;  // running and waiting jobs, by expected times
  std::vector<Planned> waiting_;   // in the order of joining
  bool late_ = false;              // a job may wait although its slot is due
};

class Conservative : public Planner {
 public:
  explicit Conservative(bool compress) : compress_(compress) {}

  void ended(const System& system, JobId id) override {
    const Job& job = system.job(id);
    plan(system).give(system.now(), job.expected_end(), job.processors);
    if (system.now() < job.expected_end()) room_made_ = true;
    something_ended_ = true;
  }

  void shrunk(const System& system, const GivenBack& given) override {
    plan(system).give(system.now(), system.job(given.job).expected_end(), given.processors);
    room_made_ = something_ended_ = true;
  }

  void pass(System& system) override {
    plan(system).advance(system.now());
    if (something_ended_ && compress_ && room_made_) compress(system);
    something_ended_ = false;
    for (; placed_ < waiting_.size(); ++placed_) place_new(system, waiting_[placed_]);
    if (late_ || wake_ <= system.now()) wake_ = start_due(system, [](JobId) {});
    placed_ = waiting_.size();
  }

 private:
  // Moves each job, in order, to its earliest slot. No slot can move if no room was made since the last compression.
  void compress(const System& system) {
    room_made_ = false;
    refused_.begin();
    const Planned* refused = nullptr;  // the last job that could not move
    for (std::size_t i = 0; i < placed_; ++i) {
      if (refused && waiting_[i].like(*refused)) continue;
      refused = move_forward(system, waiting_[i]) ? nullptr : &waiting_[i];
    }
  }

  // Returns whether the plan may have changed.
  bool move_forward(const System& system, Planned& planned) {
    if (planned.length == 0) {
      place_new(system, planned);
      return true;
    }
    Time& refused = refused_.until(planned.processors, planned.length);
    Time from = refused;
    // A start that overlaps the job's current slot needs room just before that slot.
    if (plan_->free_before(planned.slot) >= planned.processors)
      from = std::min(from, planned.slot - planned.length - 1);
    if (from >= planned.slot) return false;
    const Time slot = plan_->earliest(std::max(system.now(), from), planned.length, planned.processors, planned.slot);
    refused = std::max(refused, slot);
    if (slot >= planned.slot) return false;
    move(planned, slot);
    return true;
  }

  void move(Planned& planned, Time slot) {
    const Time left = std::max(planned.slot, slot + planned.length);
    plan_->take(slot, std::min(planned.slot, slot + planned.length), planned.processors);
    plan_->give(left, planned.end(), planned.processors);
    refused_.gained(left);
    planned.slot = slot;
    wake_ = std::min(wake_, slot);
    room_made_ = true;  // its old slot may help other jobs at the next end
  }

  void place_new(const System& system, Planned& planned) {
    place(system, planned);
    wake_ = std::min(wake_, planned.slot);
    if (planned.length == 0)
      room_made_ = late_ = true;  // it holds no processors in the plan, so its slot may have to move
  }

  bool compress_;
  std::size_t placed_ = 0;  // waiting_[0, placed_) have a slot
  bool something_ended_ = false;
  bool room_made_ = false;  // a slot may have become free since the last compression
  Refused refused_;
};

// With extend-blind, a plan is valid until the next event only, so no extra pass is planned.
class PlannedAnew : public Planner {
 public:
  void ended(const System&, JobId id) override { std::erase(running_, id); }

  void pass(System& system) override {
    plan(system) = Profile(system.processors());
    for (const JobId id : running_) {
      const Job& job = system.job(id);
      plan_->take(system.now(), job.expected_end(), job.processors);  // no effect if the expected end has passed
    }
    for (Planned& planned : waiting_) place(system, planned);
    start_due(system, [&](JobId id) { running_.push_back(id); });
  }

 private:
  std::vector<JobId> running_;
};

std::unique_ptr<Scheduler> make_conservative(const Options& options) {
  if (options.flag("nodes", false)) return make_conservative_on_nodes(options);
  if (options.text("overrun", "extend") == "extend-blind") return std::make_unique<PlannedAnew>();
  return std::make_unique<Conservative>(options.flag("compress", true));
}

const RegisterScheduler conservative{"conservative", make_conservative};

}  // namespace
}  // namespace thinktime
