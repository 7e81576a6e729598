// One simulation as Python drives it: the job table, the users, the loop, and the arrays that come out.
#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "binding/arrays.h"
#include "binding/cluster.h"
#include "binding/own_plugin.h"
#include "binding/own_scheduler.h"
#include "simulation/simulation.h"
#include "users/rigid.h"
#include "users/streamed.h"

namespace thinktime {

// Refuses a second call: the GIL is released while a simulation runs, and a policy in Python may call back.
class Turn {
 public:
  explicit Turn(std::atomic<bool>& busy) : busy_(busy) {
    if (busy_.exchange(true))
      throw std::runtime_error("this simulation is already running: use one simulation per thread");
  }
  ~Turn() { busy_ = false; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  std::atomic<bool>& busy_;
};

class Run {
 public:
  using Plugins = std::vector<std::pair<std::string, nanobind::dict>>;  // (name, arrays and options) of each

  Run(Processors processors, const std::string& scheduler, const nanobind::dict& options, SameInstant same_instant,
      Overrun overrun, double speed, bool keep_timeline, bool keep_jobs, bool keep_decisions, const std::string& users,
      const nanobind::dict& plan, const std::optional<nanobind::dict>& platform,
      const std::optional<nanobind::dict>& application, const std::vector<std::string>& columns);

  // --- loading (run.cc)

  // Appends jobs in (submit, original order); rows continue those of earlier calls. `labels` are numbers that the
  // engine stores with a job and returns when the job is handed out and forgotten. Reacting users decide on the submit
  // times themselves. `columns` are the columns that policies read, in the order of the constructor. On a cluster,
  // `shapes` has the kinds of units; `shape` has the kind of each job, or -1 if the job is rejected on submission. The
  // pool arrays hold the amounts that jobs take from pools.
  void load(const Doubles& submit, const Doubles& run, const Doubles& estimate, const Counts& processors,
            const std::vector<Doubles>& labels, const std::vector<Doubles>& columns,
            const std::optional<Indices>& shapes, const std::optional<Indices>& shape,
            const std::optional<Indices>& pool_start, const std::optional<Indices>& pool,
            const std::optional<Indices>& pool_amount, const std::optional<Indices>& variant);
  // Policies in Python see meaning[number] instead of the numbers of a column.
  void set_meaning(const std::string& column, nanobind::object meaning);
  // Tells reacting users in a stream about the jobs of the last load, as recorded.
  void read_users(const Doubles& submit, const Doubles& end, const Doubles& user);
  void close();  // no more jobs will be loaded
  std::size_t waiting_to_submit() const { return streamed_ ? streamed_->waiting() : 0; }

  // Known closures: nodes first .. first + nodes - 1 are closed from `from` until `to`, except for the owner's jobs.
  void add_closures(const Indices& first, const Indices& nodes, const Doubles& from, const Doubles& to,
                    const Indices& owner);
  void set_owners(const Indices& row, const Indices& owner);      // rows among the jobs of the last load
  void add_plugins(const Plugins& specs);                         // after the first jobs and the calendar
  void load_plugins(const std::vector<nanobind::dict>& numbers);  // of the jobs of the last load, for each plugin

  // --- driving (run.cc)

  bool step();
  std::uint64_t run(Time until, std::uint64_t max_rounds);
  bool run_for(Time until, double seconds);

  // --- looking (run_columns.cc)

  Time now() const { return simulation_.system().now(); }
  Time next() const { return simulation_.next(); }
  Processors free() const { return simulation_.system().unused(); }
  std::size_t finished_jobs() const { return simulation_.finished().size(); }
  NamedNumbers values() const { return numbers_of(simulation_.system().values()); }
  Output<std::int64_t> queue() const;
  Output<std::int64_t> running() const;
  Output<std::int64_t> node_free() const;

  Columns jobs() const;
  // Jobs that are over since the last call, and what plugins have found; `last`: also all other jobs.
  nanobind::dict take_finished(bool last);
  Output<double> carried(std::size_t label, const Indices& slots) const;  // also of jobs that were just taken
  Output<std::int64_t> slots_of(const Indices& rows) const;               // of jobs that wait or run
  Columns take_timeline(bool all);
  Columns take_decisions();
  Columns placements() const;  // where the jobs that have started run or ran, one row per span
  Columns decisions() const;
  Columns attempts() const;  // aborted runs in order, and their spans by the number of the run
  std::vector<std::vector<std::uint64_t>> action_counts() const;  // by action and reason
  Columns actions() const;                          // rejections, kills and requeues by a scheduler in Python, in order
  std::vector<std::string> action_reasons() const;  // by their numbers in actions()
  nanobind::typed<nanobind::dict, nanobind::str, Columns> inside();  // empty without application models
  nanobind::typed<nanobind::list, Columns> reports();                // what each plugin has found so far
  std::size_t slots() const { return simulation_.system().jobs(); }  // the most jobs held at one time
  nanobind::typed<nanobind::dict, nanobind::str, nanobind::any> statistics() const;

  // --- for Python's garbage collector

  std::vector<OwnPlugin*> own_plugins();
  const OwnScheduler* own_scheduler() const { return dynamic_cast<const OwnScheduler*>(&simulation_.scheduler()); }
  OwnScheduler* own_scheduler() { return dynamic_cast<OwnScheduler*>(&simulation_.scheduler()); }

 private:
  void check_jobs(const Doubles& submit, const Doubles& run, const Doubles& estimate, const Counts& processors) const;
  std::vector<std::uint32_t> add_shapes(const NodeRequests& requests, std::size_t jobs);
  void add_on_nodes(JobId id, const NodeRequests& requests, const std::vector<std::uint32_t>& shapes, std::size_t i);
  void label(JobId id, const std::vector<Doubles>& labels, std::size_t i);

  std::vector<JobId> all_jobs() const;
  Output<std::int64_t> rows_of(const std::vector<JobId>& jobs) const;
  Columns columns(const std::vector<JobId>& ids) const;
  Columns spans(const std::vector<JobId>& jobs) const;
  Processors given_back(JobId id) const;
  void put_runs(nanobind::dict& out, const std::vector<JobId>& finished);
  nanobind::typed<nanobind::list, Columns> take_reports(const std::vector<JobId>& finished, bool last);

  Rigid rigid_;
  std::unique_ptr<UserModel> reacting_;  // null if users are rigid
  StreamedUsers* streamed_ = nullptr;    // the same, if the log is read in blocks
  Published published_;                  // values that plugins publish and keys read
  std::shared_ptr<JobColumns> columns_;  // that policies read
  Simulation simulation_;
  std::uint32_t rows_ = 0;
  bool keep_jobs_;
  std::int64_t variants_;  // of the application model
  bool in_python_;         // a scheduler or allocator in Python: the GIL is not released
  mutable std::atomic<bool> busy_ = false;
  nanobind::object allocator_;               // if it is written in Python
  std::vector<std::vector<double>> labels_;  // by label, then by slot
  std::vector<JobId> loaded_;                // the slots of the last load
};

}  // namespace thinktime
