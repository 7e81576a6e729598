// The queue in a given order, split by size: class c holds the jobs of 2^(c-1)+1 to 2^c processors.
//
// A backfill scan reads only classes that may fit. Inside a class the shortest length of a block predicts well whether
// the block holds a job to start, so passes stay short with tens of thousands of waiting jobs.
#pragma once
#include <array>
#include <bit>
#include <vector>

#include "schedulers/waiting_list.h"

namespace thinktime {

class WaitingBySize {
 public:
  explicit WaitingBySize(Order order) {
    lists_.reserve(kClasses);
    for (int c = 0; c < kClasses; ++c) lists_.emplace_back(order);
  }

  const Order& order() const { return lists_.front().order(); }
  bool empty() const { return filled_ == 0; }

  void add(const System& system, JobId id) {
    const int c = size_class(system.job(id).processors);
    lists_[c].add(system, id);
    filled_ |= 1u << c;
    if (front_ != kUnknown && lists_[c].front().before(lists_[front_].front())) front_ = c;
  }

  // The first job in the queue's order.
  const Waiting& front() {
    if (front_ == kUnknown) look_for_front();
    return lists_[front_].front();
  }

  void pop_front() {
    if (front_ == kUnknown) look_for_front();
    const int c = front_;
    lists_[c].erase(lists_[c].begin());
    removed_from(c);
  }

  void erase(const System& system, JobId id) {
    const int c = size_class(system.job(id).processors);
    lists_[c].erase(system, id);
    removed_from(c);
  }

  void clear() {
    each_class(filled_, [&](int c) { lists_[c].clear(); });
    filled_ = 0;
    front_ = kUnknown;
  }

  void refresh(const System& system) {
    each_class(filled_, [&](int c) { lists_[c].refresh(system); });
    front_ = kUnknown;
  }

  // Whether any job needs at most `free` processors. All jobs of lower classes do.
  bool some_fit(Processors free) {
    if (free < 1) return false;
    const int own = size_class(free);
    if (filled_ & ((1u << own) - 1)) return true;
    WaitingList& list = lists_[own];
    return !list.empty() && list.valid(list.next_fitting(list.begin(), free));
  }

  // Calls start(job), in the queue's order, for each job that the gap admits; it returns whether the job started. gap()
  // may shrink with each start, never widen.
  template <class GapNow, class Start>
  void start_harmless(GapNow gap, Start start) {
    std::uint32_t open = 0;  // bits of the classes with a candidate
    const auto look = [&](int c, WaitingList::Place from) {
      next_[c] = lists_[c].next_harmless(from, gap());
      open = lists_[c].valid(next_[c]) ? open | 1u << c : open & ~(1u << c);
    };
    each_class(up_to(gap().free), [&](int c) { look(c, lists_[c].begin()); });
    while (open) {
      const int c = first_of(open);
      const Waiting& job = lists_[c][next_[c]];
      if (gap().admits(job)) {
        if (start(job.job)) {
          next_[c] = lists_[c].erase(next_[c]);
          removed_from(c);
        } else {
          ++next_[c].offset;
        }
      }
      look(c, next_[c]);
    }
  }

  void jobs(const System& system, std::vector<JobId>& out) const {
    std::vector<Waiting> all;
    for (const WaitingList& list : lists_) list.items(all);
    lists_.front().in_order(system, all, out);
  }

 private:
  static constexpr int kClasses = 32;
  static constexpr int kUnknown = -1;

  static int size_class(Processors n) { return std::bit_width(static_cast<std::uint32_t>(n - 1)); }

  // The filled classes that may hold a job of at most n processors.
  std::uint32_t up_to(Processors n) const {
    if (n < 1) return 0;
    return filled_ & static_cast<std::uint32_t>((std::uint64_t{2} << size_class(n)) - 1);
  }

  template <class Visit>
  static void each_class(std::uint32_t classes, Visit visit) {
    for (; classes; classes &= classes - 1) visit(std::countr_zero(classes));
  }

  int first_of(std::uint32_t classes) const {
    int first = std::countr_zero(classes);
    each_class(classes & (classes - 1), [&](int c) {
      if (lists_[c][next_[c]].before(lists_[first][next_[first]])) first = c;
    });
    return first;
  }

  void look_for_front() {
    front_ = std::countr_zero(filled_);
    each_class(filled_ & (filled_ - 1), [&](int c) {
      if (lists_[c].front().before(lists_[front_].front())) front_ = c;
    });
  }

  void removed_from(int c) {
    if (lists_[c].empty()) filled_ &= ~(1u << c);
    if (c == front_) front_ = kUnknown;
  }

  std::vector<WaitingList> lists_;                 // by size class
  std::array<WaitingList::Place, kClasses> next_;  // during start_harmless: the next candidate by class
  std::uint32_t filled_ = 0;                       // bit c: class c has jobs
  int front_ = kUnknown;                           // the class of the first job
};

}  // namespace thinktime
