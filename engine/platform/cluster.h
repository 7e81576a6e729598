// A cluster: nodes, allocator and pools; what each job needs and which nodes it holds.
#pragma once
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "core/jobs.h"
#include "platform/allocator.h"
#include "platform/nodes.h"

namespace thinktime {

// The amount that a running job takes from a pool. A pool is a number for the whole cluster: licences, watts, a queue's
// limit.
struct PoolUse {
  std::uint32_t pool;
  Amount amount;
};

// The known future of a pool whose size changes with time, such as a power cap by the hour.
class PoolLevels {
 public:
  explicit PoolLevels(std::uint32_t pool) : pool_(pool) {}
  virtual ~PoolLevels() = default;
  std::uint32_t pool() const { return pool_; }
  // Whether a waiting job may start at `from`, together with the jobs that are expected to run then, and with `other`
  // (unless kNoJob) if it starts now.
  virtual bool holds(JobId id, Time from, JobId other) = 0;
  virtual Time next_change(Time after) const = 0;
  virtual Time period() const = 0;  // the levels repeat after this time; kNever if they do not

 private:
  std::uint32_t pool_;
};

class Cluster {
 public:
  static constexpr std::uint32_t kRefused = std::numeric_limits<std::uint32_t>::max();

  Cluster(Nodes nodes, const AllocatorFactory& allocator, const Options& options, std::vector<Amount> pools)
      : nodes_(std::move(nodes)),
        allocator_(allocator(nodes_, options)),
        pools_(pools),
        pools_free_(std::move(pools)) {}

  const Nodes& nodes() const { return nodes_; }
  NodeValues& node_values() { return nodes_.values(); }
  const Allocator& allocator() const { return *allocator_; }

  // Adds kinds of units, one row of amounts each, and returns their numbers. A known kind keeps its number, so that the
  // memory of a stream of jobs is bounded by the number of kinds.
  std::vector<std::uint32_t> add_shapes(std::span<const Amount> units);
  void add_job(JobId id, std::uint32_t shape, std::vector<PoolUse> pools);

  std::uint32_t shape(JobId id) const { return jobs_[id].shape; }
  std::size_t shapes() const { return capacity_.size(); }
  Unit unit(JobId id) const { return units_[jobs_[id].shape]; }  // its address is stable
  // What a job needs if it starts at `now`.
  Need need(JobId id, const Job& job, Time now) const {
    Need need{unit(id), shape(id), job.processors, id, job.row, 0, 0, jobs_[id].owner};
    set_time(need, now, now + job.length);
    return need;
  }
  void set_time(Need& need, Time from, Time until) const {
    need.from = from;
    need.until = until;
    need.met = calendar_.met(from, until);
    need.calendar = need.met == Met{} ? nullptr : &calendar_;
  }
  const std::vector<PoolUse>& pools_of(JobId id) const { return jobs_[id].pools; }
  const Placement& placement(JobId id) const { return jobs_[id].placement; }
  const Placement& started_on(JobId id) const { return jobs_[id].whole.empty() ? placement(id) : jobs_[id].whole; }
  Amount pool_free(std::uint32_t pool) const { return pools_free_[pool]; }
  Amount pool_size(std::uint32_t pool) const { return pools_[pool]; }
  std::size_t pools() const { return pools_.size(); }

  PoolLevels* levels() const { return levels_; }  // null if no pool changes with time
  void set_levels(PoolLevels* levels) { levels_ = levels; }

  bool holds(JobId id, const Job& job) const;  // on the empty cluster

  // An upper bound on the processors that any job can have now, from the first resource.
  Processors most_free() const { return in_processors(nodes_.total_free(0)); }
  Processors in_processors(Amount first_resource) const {
    return least_ == 0 ? std::numeric_limits<Processors>::max() - 1
                       : static_cast<Processors>(std::max<Amount>(first_resource, 0) / least_);
  }

  // Finds nodes for a job and stores them for take(). False if it does not fit now.
  bool find(JobId id, const Job& job, Time now) {
    Need asked = need(id, job, now);
    if (!pools_suffice(id) || !nodes_.totals_suffice(asked.unit, asked.units)) return false;
    Refusal& refusal = refusals_[jobs_[id].shape];
    if (refusal.still(returns_, asked)) return false;
    const bool found = place_booting(asked, job.length, found_, [&](const Need& each) {
      if (allocator_->place(nodes_, each, found_)) return true;
      if (allocator_->monotone()) refusal = {returns_, each.units, each.met, each.owner};
      return false;
    });
    found_met_ = asked.met;
    return found;
  }
  const Met& found_met() const {
    return found_met_;
  }  // closures that the job of the last find() meets, including boots

  // Calls place(need), which sets `placed`. If some of these nodes must boot, the job holds its nodes longer and may
  // meet more closures; then it is placed again, until no boot is longer than assumed.
  template <class Place>
  bool place_booting(Need& need, Time length, const Placement& placed, Place place) const {
    if (!place(need)) return false;
    if (!boots_matter()) return true;
    for (;;) {
      const Time until = need.from + (length + boot_of(placed, need.from));
      const Met before = need.met;
      if (until <= need.until) return true;
      set_time(need, need.from, until);
      if (need.met == before) return true;
      if (!place(need)) return false;
    }
  }
  // Whether a job that starts now on these nodes meets a closure there, including boots.
  bool meets_closure(JobId id, const Job& job, const Placement& placement, Time now) const;
  bool pools_suffice(JobId id) const;
  bool is_free(JobId id, const Placement& placement) const;  // exactly this placement
  Placement& found() { return found_; }                      // the nodes for take(); a policy may set them

  void take(JobId id);                              // the nodes found
  void give(JobId id);                              // all its nodes; its placement is still known
  void give_some(JobId id, const Placement& some);  // of a job that continues
  void take_back(JobId id);                         // undoes give() of a job that continues

  const Calendar& calendar() const { return calendar_; }
  Calendar& calendar() { return calendar_; }
  void set_owner(JobId id, Owner owner) { jobs_[id].owner = owner; }
  void close(NodeId node) {
    if (nodes_.close(node)) allocator_->changed(nodes_, node);
  }
  void open(NodeId node) {
    ++returns_;
    if (nodes_.open(node)) allocator_->changed(nodes_, node);
  }
  // Changes what is free in a pool now; its size stays the same.
  void shift_pool(std::uint32_t pool, Amount amount) { pools_free_[pool] += amount; }

 private:
  struct JobOnNodes {
    std::uint32_t shape = kRefused;
    Owner owner = kNoOwner;
    std::vector<PoolUse> pools;
    Placement placement;
    Placement whole;  // where it started, if it has returned nodes since
  };

  // A refusal of `units` units of a kind. Until something is returned it also holds for more units, and for jobs that
  // meet the same closures or more.
  struct Refusal {
    std::uint64_t returns = 0;  // up to this refusal
    Processors units = 0;
    Met met;
    Owner owner = kNoOwner;
    bool still(std::uint64_t now, const Need& need) const {
      return returns == now && need.units >= units && need.as_closed_as(met, owner);
    }
  };

  bool boots_matter() const { return !nodes_.values().boot_s.empty() && !calendar_.empty(); }
  Time boot_of(const Placement& placement, Time now) const;  // seconds until all these nodes have booted
  std::uint32_t number_of(Unit unit);
  void changed(JobId id, const Placement& placement, int sign);
  void change_pools(JobId id, int sign);

  Nodes nodes_;
  std::unique_ptr<Allocator> allocator_;
  std::map<std::vector<Amount>, std::uint32_t> numbers_;  // by unit
  std::vector<Unit> units_;                               // by shape; the keys of numbers_
  std::vector<std::int64_t> capacity_;                    // by shape: units that fit on the empty cluster
  Amount least_ = std::numeric_limits<Amount>::max();     // smallest amount of the first resource in any unit
  std::vector<Refusal> refusals_;                         // by shape
  std::uint64_t returns_ = 1;                             // number of returns
  std::vector<Amount> pools_, pools_free_;
  PoolLevels* levels_ = nullptr;
  Calendar calendar_;
  std::vector<JobOnNodes> jobs_;  // by slot of the job table
  Placement found_;
  Met found_met_;
};

}  // namespace thinktime
