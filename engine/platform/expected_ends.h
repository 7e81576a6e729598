// Running jobs by expected end, with the sum of processors per block: when will n processors be free?
#pragma once
#include "core/blocked_list.h"
#include "core/jobs.h"

namespace thinktime {

struct Release {
  Time time;               // expected end
  std::uint32_t sequence;  // start order
  Processors processors;   // 0 once released

  bool before(const Release& other) const {
    return time < other.time || (time == other.time && sequence < other.sequence);
  }
  void kill() { processors = 0; }
  bool dead() const { return processors == 0; }
};

struct Released {
  std::int64_t processors = 0;
  Time last = -kNever;  // no item of the block is later

  void add(const Release& item) {
    processors += item.processors;
    last = last < item.time ? item.time : last;
  }
  void add(const Released& other) {
    processors += other.processors;
    last = last < other.last ? other.last : last;
  }
  bool remove(const Release& item) {
    processors -= item.processors;
    return false;
  }
};

struct Promise {
  Time shadow = kNever;  // the first instant at which the head fits
  Processors extra = 0;  // processors free then that the head does not need
};

class ExpectedEnds {
 public:
  void add(const Job& job) { add(release(job)); }
  void remove(const Job& job) { remove(release(job)); }
  void add(const Release& release) { list_.insert(release); }
  void remove(const Release& release) { list_.erase(release); }

  // The first instant >= now with `need` processors free. `extra` counts all jobs that end at that instant or, without
  // count_ties, only those up to the end that suffices, in start order.
  Promise promise(Time now, Processors free, Processors need, bool count_ties = true) const {
    std::int64_t available = free;
    Time shadow = -kNever;  // unknown until enough processors are free
    for (std::size_t b = list_.first_block(); b < list_.blocks(); ++b) {
      const Released& block = list_.summary(b);
      if (available + block.processors < need) {
        available += block.processors;
        continue;
      }
      if (available >= need && block.last <= shadow && count_ties) {  // the whole block ends by the shadow
        available += block.processors;
        continue;
      }
      if (!add_block(b, now, need, count_ties, available, shadow)) break;
    }
    if (available < need) return {};
    return {shadow, static_cast<Processors>(available - need)};
  }

 private:
  static Release release(const Job& job) { return {job.expected_end(), job.sequence, job.processors}; }

  // Adds the releases of a block up to the shadow; false if one lies beyond it.
  bool add_block(std::size_t b, Time now, Processors need, bool count_ties, std::int64_t& available,
                 Time& shadow) const {
    return list_.each_in(b, [&](const Release& release) {
      if (available >= need && (release.time > shadow || !count_ties)) return false;
      available += release.processors;
      if (available >= need && shadow < now) shadow = release.time < now ? now : release.time;
      return true;
    });
  }

  BlockedList<Release, Released> list_;
};

}  // namespace thinktime
