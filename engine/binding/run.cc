#include "binding/run.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "binding/applications.h"
#include "binding/checks.h"
#include "binding/options.h"
#include "binding/own_users.h"
#include "binding/plans.h"
#include "io/resident_memory.h"
#include "users/reacting.h"

namespace nb = nanobind;

namespace thinktime {
namespace {

// Null for rigid users, whose plan is the workload itself.
std::unique_ptr<UserModel> users_of(const std::string& name, const nb::dict& plan) {
  if (name == "rigid") return nullptr;
  if (plan.contains("model")) return std::make_unique<OwnUsers>(nb::borrow(plan["model"]));
  if (plan.contains("streamed")) return make_streamed_users(name, plan_of(plan));
  return make_users(name, plan_of(plan));
}

std::unique_ptr<Plugin> plugin_of(const std::string& name, const nb::dict& values) {
  if (values.contains("behaviour")) return std::make_unique<OwnPlugin>(nb::borrow(values["behaviour"]));
  return make_plugin(name, plan_of(values));
}

Options allocator_options(const std::optional<nb::dict>& platform, const ReadColumns& columns) {
  Options options = platform ? options_of(nb::cast<nb::dict>((*platform)["options"])) : Options{};
  options.set("columns", columns);
  return options;
}

std::unique_ptr<Scheduler> scheduler_of(const std::string& name, const nb::dict& values, bool nodes,
                                        const Published& published, const ReadColumns& columns) {
  Options options = options_of(values);
  options.set("nodes", nodes);
  options.set("values", published);
  options.set("columns", columns);
  if (values.contains("policy")) return std::make_unique<OwnScheduler>(nb::borrow(values["policy"]), options);
  return make_scheduler(name, options);
}

// Releases the GIL unless the policy is written in Python: taking it for every call would cost more than the call.
class Unlocked {
 public:
  explicit Unlocked(bool release) {
    if (release) release_.emplace();
  }

 private:
  std::optional<nb::gil_scoped_release> release_;
};

}  // namespace

Run::Run(Processors processors, const std::string& scheduler, const nb::dict& options, SameInstant same_instant,
         Overrun overrun, double speed, bool keep_timeline, bool keep_jobs, bool keep_decisions,
         const std::string& users, const nb::dict& plan, const std::optional<nb::dict>& platform,
         const std::optional<nb::dict>& application, const std::vector<std::string>& columns)
    : reacting_(users_of(users, plan)),
      published_(std::make_shared<Values>()),
      columns_(std::make_shared<JobColumns>(columns)),
      simulation_(SystemState(processors, cluster_of(platform, allocator_options(platform, columns_)), published_),
                  Rules{same_instant, overrun, speed, keep_timeline, keep_jobs, keep_decisions, &resident_bytes},
                  scheduler_of(scheduler, options, platform.has_value(), published_, columns_),
                  reacting_ ? *reacting_ : rigid_),
      keep_jobs_(keep_jobs),
      variants_(application && application->contains("variants")
                    ? 1 + static_cast<std::int64_t>(nb::len(nb::cast<nb::list>((*application)["variants"])))
                    : 1),
      in_python_(options.contains("policy") || (platform && platform->contains("policy")) ||
                 (application && has_own_technique(*application))) {
  if (platform && platform->contains("policy")) allocator_ = nb::borrow((*platform)["policy"]);
  require(processors >= 0 && speed > 0 && std::isfinite(speed),
          "processors must be 0 or more, and speed must be finite and above 0");
  simulation_.add_level(level_of(application, overrun == Overrun::kill));
  streamed_ = dynamic_cast<StreamedUsers*>(reacting_.get());
  if (reacting_ && !keep_jobs && !streamed_) throw std::invalid_argument("these users need keep_jobs=True");
}

void Run::load(const Doubles& submit, const Doubles& run, const Doubles& estimate, const Counts& processors,
               const std::vector<Doubles>& labels, const std::vector<Doubles>& columns,
               const std::optional<Indices>& shapes, const std::optional<Indices>& shape,
               const std::optional<Indices>& pool_start, const std::optional<Indices>& pool,
               const std::optional<Indices>& pool_amount, const std::optional<Indices>& variant) {
  require_equal_lengths({submit.shape(0), run.shape(0), estimate.shape(0), processors.shape(0)});
  for (const Doubles& numbers : labels) require_equal_lengths({submit.shape(0), numbers.shape(0)});
  for (const Doubles& numbers : columns) require_equal_lengths({submit.shape(0), numbers.shape(0)});
  require(columns.size() == columns_->size(), "load needs the columns that policies read");
  check_jobs(submit, run, estimate, processors);
  if (variant) {
    require(simulation_.system().level(), "variants need an application level");
    require_equal_lengths({submit.shape(0), variant->shape(0)});
    require_between(*variant, 0, variants_ - 1, "the variant of a job");
  }
  const Turn turn(busy_);
  nb::gil_scoped_release release;
  const NodeRequests on_nodes{shapes, shape, pool_start, pool, pool_amount};
  const std::vector<std::uint32_t> known_shapes = add_shapes(on_nodes, submit.shape(0));
  if (rows_ == 0) simulation_.expect(submit.shape(0));
  if (rows_ == 0) columns_->reserve(submit.shape(0));
  loaded_.clear();
  for (std::size_t i = 0; i < submit.shape(0); ++i) {
    const Time known = reacting_ ? kNever : submit.data()[i];
    const JobId id = simulation_.add({known, run.data()[i], estimate.data()[i], processors.data()[i], rows_++});
    loaded_.push_back(id);
    if (!reacting_) rigid_.plan(id, known);
    if (simulation_.cluster()) add_on_nodes(id, on_nodes, known_shapes, i);
    if (variant) simulation_.set_variant(id, static_cast<std::uint32_t>(variant->data()[i]));
    if (!labels.empty()) label(id, labels, i);
    for (std::size_t k = 0; k < columns.size(); ++k) columns_->set(k, id, columns[k].data()[i]);
  }
}

void Run::read_users(const Doubles& submit, const Doubles& end, const Doubles& user) {
  require(streamed_, "only reacting users in a stream read jobs");
  require_equal_lengths({loaded_.size(), submit.shape(0), end.shape(0), user.shape(0)});
  require_known(end, "a recorded end");
  require_known(user, "a user");
  for (std::size_t i = 0; i < loaded_.size(); ++i)
    streamed_->read(
        {loaded_[i], simulation_.system().job(loaded_[i]).row, submit.data()[i], end.data()[i], user.data()[i]});
  streamed_->settle();
}

void Run::close() {
  rigid_.close();
  if (streamed_) streamed_->close();
}

void Run::check_jobs(const Doubles& submit, const Doubles& run, const Doubles& estimate,
                     const Counts& processors) const {
  require(static_cast<std::int64_t>(submit.shape(0)) <= kMostRows - rows_,
          "a simulation must have fewer than 2^32 jobs");
  require_known(submit, "a submit time");
  require_durations(run, "a run time");
  require_numbers(estimate, [](double value) { return value >= 0; }, "an estimate", "0 or more");
  require_between(processors, 1, kMostProcessors, "the processors of a job");
}

// Returns the engine's number for each kind of unit.
std::vector<std::uint32_t> Run::add_shapes(const NodeRequests& requests, std::size_t jobs) {
  if (!simulation_.cluster()) return {};
  requests.check(jobs);
  return simulation_.add_shapes({requests.shapes->data(), requests.shapes->shape(0)});
}

void Run::add_on_nodes(JobId id, const NodeRequests& requests, const std::vector<std::uint32_t>& shapes,
                       std::size_t i) {
  const std::int64_t shape = requests.shape->data()[i];
  require(shape < static_cast<std::int64_t>(shapes.size()), "a job has an unknown shape");
  simulation_.cluster()->add_job(id, shape < 0 ? Cluster::kRefused : shapes[static_cast<std::size_t>(shape)],
                                 requests.pools_of(i));
}

void Run::label(JobId id, const std::vector<Doubles>& labels, std::size_t i) {
  labels_.resize(labels.size());
  for (std::size_t k = 0; k < labels.size(); ++k) {
    if (id >= labels_[k].size()) labels_[k].resize(id + 1);
    labels_[k][id] = labels[k].data()[i];
  }
}

void Run::set_meaning(const std::string& column, nb::object meaning) {
  const Turn turn(busy_);
  if (allocator_.is_valid()) nb::cast<nb::dict>(allocator_.attr("meanings"))[column.c_str()] = meaning;
  if (OwnScheduler* own = own_scheduler()) own->set_meaning(column, std::move(meaning));
}

void Run::add_closures(const Indices& first, const Indices& nodes, const Doubles& from, const Doubles& to,
                       const Indices& owner) {
  require_equal_lengths({first.shape(0), nodes.shape(0), from.shape(0), to.shape(0), owner.shape(0)});
  require(simulation_.cluster(), "a calendar needs a cluster of nodes");
  const auto known = static_cast<std::int64_t>(simulation_.cluster()->nodes().size());
  require_between(first, 0, known - 1, "the first node that is closed");
  require_between(nodes, 1, known, "the number of nodes that are closed");
  require_between(owner, 0, kMostRows, "the number of an owner");
  require_known(from, "the begin of a closure");
  require_known(to, "the end of a closure");
  std::vector<Closing> all;
  for (std::size_t i = 0; i < first.shape(0); ++i) {
    require(first.data()[i] + nodes.data()[i] <= known, "a closure has nodes beyond those of the cluster");
    all.push_back({static_cast<NodeId>(first.data()[i]), static_cast<NodeId>(nodes.data()[i]), from.data()[i],
                   to.data()[i], static_cast<Owner>(owner.data()[i])});
  }
  simulation_.cluster()->calendar().close(std::move(all));
}

void Run::set_owners(const Indices& row, const Indices& owner) {
  require_equal_lengths({row.shape(0), owner.shape(0)});
  require(simulation_.cluster(), "reservations need a cluster of nodes");
  require_between(row, 0, static_cast<std::int64_t>(loaded_.size()) - 1, "the row of a job");
  require_between(owner, 0, kMostRows, "the number of an owner");
  for (std::size_t i = 0; i < row.shape(0); ++i)
    simulation_.cluster()->set_owner(loaded_[static_cast<std::size_t>(row.data()[i])],
                                     static_cast<Owner>(owner.data()[i]));
}

void Run::add_plugins(const Plugins& specs) {
  std::vector<std::unique_ptr<Plugin>> plugins;
  for (const auto& [name, values] : specs) plugins.push_back(plugin_of(name, values));
  simulation_.add_plugins(std::move(plugins));
  if (!keep_jobs_ && !own_plugins().empty()) simulation_.index_rows();
}

void Run::load_plugins(const std::vector<nb::dict>& numbers) {
  for (std::size_t k = 0; k < numbers.size(); ++k) simulation_.load_plugin(k, loaded_, plan_of(numbers[k]));
}

bool Run::step() {
  const Turn turn(busy_);
  return simulation_.step();
}

std::uint64_t Run::run(Time until, std::uint64_t max_rounds) {
  const Turn turn(busy_);
  const Unlocked unlocked(!in_python_);
  return simulation_.run(until, max_rounds);
}

bool Run::run_for(Time until, double seconds) {
  const Turn turn(busy_);
  const Unlocked unlocked(!in_python_);
  return simulation_.run_for(until, seconds);
}

std::vector<OwnPlugin*> Run::own_plugins() {
  std::vector<OwnPlugin*> own;
  if (!simulation_.plugins()) return own;
  for (const auto& plugin : simulation_.plugins()->all())
    if (auto* mine = dynamic_cast<OwnPlugin*>(plugin.get())) own.push_back(mine);
  return own;
}

}  // namespace thinktime
