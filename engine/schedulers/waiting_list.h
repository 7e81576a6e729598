// The queue in a given order, with the smallest size and the shortest length per block.
#pragma once
#include <algorithm>
#include <vector>

#include "core/blocked_list.h"
#include "schedulers/order.h"
#include "system/system.h"

namespace thinktime {

struct Waiting {
  double key;
  Time length;
  std::uint32_t sequence;
  Processors processors;
  JobId job;

  static constexpr Processors kGone = std::numeric_limits<Processors>::max();
  bool before(const Waiting& other) const { return key < other.key || (key == other.key && sequence < other.sequence); }
  void kill() { processors = kGone; }  // fits nowhere, so a scan skips it
  bool dead() const { return processors == kGone; }
};

// The minimum needs over the jobs of a block.
struct LeastNeeds {
  Processors processors = Waiting::kGone;
  Time length = kNever;

  void add(const Waiting& item) {
    processors = std::min(processors, item.processors);
    length = std::min(length, item.length);
  }
  void add(const LeastNeeds& other) {
    processors = std::min(processors, other.processors);
    length = std::min(length, other.length);
  }
  bool remove(const Waiting& item) const { return item.processors == processors || item.length == length; }
};

// What a candidate may use without delaying the head: the free processors until the shadow, the extra ones after it.
struct Gap {
  Time now;
  Time shadow;
  Processors free;
  Processors extra;
  Time latest = kNever;  // a job that starts now must end by then

  template <class Job>
  bool admits(const Job& job) const {
    return job.processors <= free && (over_by_shadow(job) || job.processors <= extra) && now + job.length <= latest;
  }
  template <class Job>
  bool over_by_shadow(const Job& job) const {
    return now + job.length <= shadow;
  }
};

class WaitingList {
 public:
  using List = BlockedList<Waiting, LeastNeeds>;
  using Place = List::Place;

  explicit WaitingList(Order order) : order_(order) {}

  const Order& order() const { return order_; }
  bool empty() const { return list_.empty(); }
  const Waiting& front() const { return list_.front(); }
  Place begin() const { return list_.begin(); }
  bool valid(Place place) const { return list_.valid(place); }
  const Waiting& operator[](Place place) const { return list_[place]; }
  Place erase(Place place) { return list_.erase(place); }
  void erase(const System& system, JobId job) { list_.erase(item(system, job)); }
  void add(const System& system, JobId job) { list_.insert(item(system, job)); }

  void clear() { list_.clear(); }

  // Sorts by the keys of this instant; only a dynamic order needs it.
  void refresh(const System& system) {
    items_.clear();
    items(items_);
    sort(system, items_);
    list_.clear();
    for (const Waiting& waiting : items_) list_.insert(waiting);
  }

  // The next job at or after `from` that needs at most `free` processors.
  Place next_fitting(Place from, Processors free) {
    return list_.find_from(
        from, [=](const LeastNeeds& least) { return least.processors <= free; },
        [=](const Waiting& job) { return job.processors <= free; });
  }

  // The next job that the gap admits. The same test applies to the minimum needs of a block.
  Place next_harmless(Place from, const Gap& gap) {
    const auto harmless = [&](const auto& job) { return gap.admits(job); };
    return list_.find_from(from, harmless, harmless);
  }

  void items(std::vector<Waiting>& all) const {
    list_.each([&](const Waiting& waiting) {
      all.push_back(waiting);
      return true;
    });
  }

  // All jobs, ordered by the keys of this instant.
  void jobs(const System& system, std::vector<JobId>& out) const {
    std::vector<Waiting> all;
    items(all);
    in_order(system, all, out);
  }
  void in_order(const System& system, std::vector<Waiting>& all, std::vector<JobId>& out) const {
    sort(system, all);
    for (const Waiting& waiting : all) out.push_back(waiting.job);
  }

 private:
  void sort(const System& system, std::vector<Waiting>& all) const {
    for (Waiting& waiting : all) waiting = item(system, waiting.job);
    std::sort(all.begin(), all.end(), [](const Waiting& a, const Waiting& b) { return a.before(b); });
  }

  Waiting item(const System& system, JobId id) const {
    const Job& job = system.job(id);
    return {order_.key(id, job, system.now()), job.length, job.sequence, job.processors, id};
  }

  Order order_;
  List list_;
  std::vector<Waiting> items_;
};

}  // namespace thinktime
