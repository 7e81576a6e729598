// The answer of a scheduler in Python: the rows to start, perhaps with their nodes; and the jobs that the policy
// rejects, kills or requeues, which it names through `machine` during the pass. An answer is checked as a whole before
// anything happens.
#pragma once
#include <nanobind/nanobind.h>

#include <vector>

#include "binding/own_views.h"

namespace thinktime {

// A trial of an answer: jobs that are killed or requeued leave, then others start in turn. Its end undoes everything.
class Trial {
 public:
  Trial(System& system, const std::vector<Action>& actions);
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // Starts a waiting job on these nodes; without nodes, wherever the allocator puts it. False if it does not fit.
  bool start(JobId id, const Placement& nodes = {});

 private:
  bool finds_nodes(JobId id, const Placement& nodes);

  System& system_;
  std::vector<JobId> gone_, started_;
  Processors left_;
};

struct Start {
  JobId job;
  std::size_t place;  // in the queue
  Placement nodes;    // empty: the allocator chooses
};

class OwnAnswer {
 public:
  OwnAnswer(nanobind::object& policy, Shown& shown) : policy_(policy), shown_(shown) {}

  // Reads the rows to start; raises an error unless all of them can start, after the actions of this pass.
  void read(System& system, nanobind::handle answer);
  std::vector<Start>& starts() { return starts_; }

  [[noreturn]] void refuse(const char* what, nanobind::handle value, const System& system, std::int64_t row = -1);

 private:
  void begin(const System& system);
  void read_item(const System& system, PyObject* item);
  bool read_buffer(const System& system, nanobind::handle answer);
  void read_nodes(const System& system, Start& start, std::int64_t row, nanobind::handle nodes);
  Start& take(const System& system, std::int64_t row);
  void require_room(System& system);
  void require_open(System& system, const Start& start, std::int64_t row);

  nanobind::object& policy_;
  Shown& shown_;
  std::vector<Start> starts_;  // in the order of the answer
  Processors left_ = 0;        // free processors after the jobs read so far
  std::size_t looked_up_ = 0;  // position of the last row found
};

}  // namespace thinktime
