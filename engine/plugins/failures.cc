// Failures: nodes break and are repaired; jobs on a broken node are lost, start over, or continue from a checkpoint.
//
// Failure times are given in a table with their repairs, or drawn for each node from its own stream: the time to the
// next failure (Weibull; exponential if shape is 1) and the time to repair (exponential or constant).
#include <algorithm>
#include <cmath>
#include <queue>

#include "core/random.h"
#include "system/plugin.h"

namespace thinktime {
namespace {

class Failures : public Plugin {
 public:
  explicit Failures(const Plan& plan)
      : fate_(fate_of(plan.options.text("jobs", "requeue"))),
        checkpoint_s_(plan.options.number("checkpoint_s", 0)),
        restart_s_(plan.options.number("restart_s", 0)),
        restarts_(plan.options.number("restarts", kNever)) {
    if (plan.options.text("when", "given") == "given") {
      take_table(plan);
    } else {
      take_streams(plan);
    }
  }

  void begin(Control& control) override {
    if (!control.cluster()) throw std::invalid_argument("failures need a cluster of nodes");
    const NodeId nodes = control.cluster()->nodes().size();
    stream_of_.resize(nodes);
    last_.resize(nodes);
    place_ = control.values().place("broken_nodes");
    control.values().set(place_, 0);
    for (std::size_t k = 0; k < streams_.size(); ++k) {
      if (breaking_[k] >= nodes) throw std::invalid_argument("a failure names an unknown node");
      stream_of_[breaking_[k]] = k;
      push(begin_s_ + time_to_failure(streams_[k]), breaking_[k], true);
    }
    for (const auto& [from, node, to] : table_) {
      if (node >= nodes) throw std::invalid_argument("a failure names an unknown node");
      push(from, node, true);
      push(to, node, false);
    }
    look();
  }

  void act(Control& control) override {
    const Event event = events_.top();
    events_.pop();
    event.breaks ? broken(control, event.node) : repaired(control, event.node);
    if (!streams_.empty()) {
      Philox& stream = streams_[stream_of_[event.node]];
      push(event.time + (event.breaks ? time_to_repair(stream) : time_to_failure(stream)), event.node, !event.breaks);
    }
    look();
  }

  // The jobs hit, in order; the failures of nodes.
  void report(Report& report) const override {
    report_hits(report);
    for (const Failure& failure : failures_) report_failure(report, failure);
  }

  // A failure is taken when its node is repaired.
  void take(Report& report, std::span<const JobId>, bool all) override {
    report_hits(report);
    hits_.clear();
    const auto is_open = [&](const Failure& failure) { return !all && failure.repaired == kNever; };
    for (const Failure& failure : failures_)
      if (!is_open(failure)) report_failure(report, failure);
    std::erase_if(failures_, [&](const Failure& failure) { return !is_open(failure); });
    for (std::size_t k = 0; k < failures_.size(); ++k) last_[failures_[k].node] = k;
  }

 private:
  struct Event {
    Time time;
    NodeId node;
    bool breaks;
    std::uint64_t sequence;  // order of creation
    bool operator>(const Event& other) const {
      return time > other.time || (time == other.time && sequence > other.sequence);
    }
  };
  struct Given {
    Time from;
    NodeId node;
    Time to;
  };
  struct Hit {
    JobId job;
    NodeId node;
    Time time, saved;
  };
  struct Failure {
    NodeId node;
    Time broken, repaired;  // kNever: not yet
  };

  void report_hits(Report& report) const {
    for (const char* column : {"slot", "node", "hit_s", "saved_s"}) report[std::string("hits/") + column];
    for (const char* column : {"node", "broken_s", "repaired_s"}) report[std::string("failures/") + column];
    for (const Hit& hit : hits_) {
      report["hits/slot"].push_back(hit.job);
      report["hits/node"].push_back(hit.node);
      report["hits/hit_s"].push_back(hit.time);
      report["hits/saved_s"].push_back(hit.saved);
    }
  }
  static void report_failure(Report& report, const Failure& failure) {
    report["failures/node"].push_back(failure.node);
    report["failures/broken_s"].push_back(failure.broken);
    report["failures/repaired_s"].push_back(failure.repaired);
  }

  static Fate fate_of(const std::string& name) {
    if (name == "requeue" || name == "checkpoint") return Fate::requeued;
    if (name == "lose") return Fate::lost;
    throw std::invalid_argument("jobs must be lose, requeue or checkpoint, not " + name);
  }

  void take_table(const Plan& plan) {
    const auto nodes = plan.indices("node");
    const auto from = plan.times("from_s", nodes.size()), to = plan.times("to_s", nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) table_.push_back({from[i], static_cast<NodeId>(nodes[i]), to[i]});
  }

  void take_streams(const Plan& plan) {
    for (const std::uint64_t high : plan.words("stream")) streams_.emplace_back(plan.words("seed", 1)[0], high);
    for (const std::int64_t node : plan.indices("node", streams_.size()))
      breaking_.push_back(static_cast<NodeId>(node));
    mtbf_s_ = plan.options.number("mtbf_s", 0);
    shape_ = plan.options.number("shape", 1);
    scale_s_ = mtbf_s_ / std::tgamma(1 + 1 / shape_);
    mttr_s_ = plan.options.number("mttr_s", 0);
    constant_repair_ = plan.options.text("repair", "exponential") == "constant";
    begin_s_ = plan.options.number("begin_s", 0);
  }

  Time time_to_failure(Philox& stream) const {
    const double exponential = -std::log(1 - stream.uniform());
    return scale_s_ * (shape_ == 1 ? exponential : std::pow(exponential, 1 / shape_));
  }
  Time time_to_repair(Philox& stream) const {
    return constant_repair_ ? mttr_s_ : -mttr_s_ * std::log(1 - stream.uniform());
  }

  void push(Time time, NodeId node, bool breaks) { events_.push({time, node, breaks, announced_++}); }
  void look() { next_ = events_.empty() ? kNever : events_.top().time; }

  void broken(Control& control, NodeId node) {
    last_[node] = failures_.size();
    failures_.push_back({node, control.now(), kNever});
    control.values().set(place_, control.values()[place_] + 1);
    hit_.clear();
    control.system().running_on(node, hit_);
    control.close(node, true);
    for (const JobId id : hit_) strike(control, id, node);
  }

  void strike(Control& control, JobId id, NodeId node) {
    const Time worked = control.system().worked(id);
    const Time saved = checkpoint_s_ > 0 ? std::floor(worked / checkpoint_s_) * checkpoint_s_ : 0;
    hits_.push_back({id, node, control.now(), saved});
    control.abort(id, control.runs_before(id) < restarts_ ? fate_ : Fate::lost, saved, restart_s_);
  }

  void repaired(Control& control, NodeId node) {
    failures_[last_[node]].repaired = control.now();
    control.values().set(place_, control.values()[place_] - 1);
    control.open(node, true);
  }

  Fate fate_;
  Time checkpoint_s_, restart_s_;
  double restarts_;  // a job that was aborted this often is lost
  std::vector<Given> table_;
  std::vector<Philox> streams_;         // by node that can break
  std::vector<NodeId> breaking_;        // the number of that node
  std::vector<std::size_t> stream_of_;  // by node
  double mtbf_s_ = 0, shape_ = 1, scale_s_ = 0, mttr_s_ = 0, begin_s_ = 0;
  bool constant_repair_ = false;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t announced_ = 0;
  std::vector<JobId> hit_;
  std::size_t place_ = 0;          // place of the value broken_nodes
  std::vector<std::size_t> last_;  // by node: index of its latest failure
  std::vector<Hit> hits_;
  std::vector<Failure> failures_;
};

const RegisterPlugin failures{"failures", [](const Plan& plan) { return std::make_unique<Failures>(plan); }};

}  // namespace
}  // namespace thinktime
