// Temperatures: each node is heated by its power, cooled by air, and exchanges heat with its neighbours.
//
//   tau dT/dt = T_air + R P - T + coupling * sum over neighbours of (T_neighbour - T)
//
// Power is constant between instants, so a step of length h moves a node towards its equilibrium by the factor
// 1 - exp(-h (1 + coupling n) / tau), with the neighbours' temperatures at the beginning of the step. Steps are at most
// `step_s` long; without coupling they are exact. A step averages temperatures, so the method is stable.
//
// A node above the limit takes no new jobs until it has cooled below `resume_c`.
#include <algorithm>
#include <cmath>

#include "system/plugin.h"

namespace thinktime {
namespace {

constexpr std::size_t kMostSamples = 2048;  // then every second sample is dropped
constexpr double kStill = 1e-10;            // degrees; if no node moves more in a step, temperatures are constant

class Thermal : public Plugin {
 public:
  explicit Thermal(const Plan& plan)
      : resistance_(copied(plan.times("resistance"))),
        tau_s_(copied(plan.times("tau_s", resistance_.size()))),
        air_c_(copied(plan.times("air_c", resistance_.size()))),
        neighbour_(copied(plan.indices("neighbour"))),
        start_(copied(plan.starts("neighbour_start", resistance_.size(), neighbour_.size()))),
        coupling_(plan.options.number("coupling", 0)),
        step_s_(plan.options.number("step_s", 60)),
        sample_s_(plan.options.number("sample_s", 3600)),
        limit_c_(plan.options.number("limit_c", kNever)),
        resume_c_(plan.options.number("resume_c", kNever)),
        clock_s_(plan.options.number("begin_s", 0)),
        temperature_(resistance_.size()),
        new_(resistance_.size()),
        watts_(resistance_.size()),
        hottest_c_(resistance_.size()),
        degree_s_(resistance_.size()),
        alone_c_(resistance_.size()),
        closed_(resistance_.size()) {
    plan.pointing("neighbour", neighbour_.size(), resistance_.size());
    if (!(step_s_ > 0 && sample_s_ > 0)) throw std::invalid_argument("step_s and sample_s must be above 0");
  }

  void begin(Control& control) override {
    values_ = &control.cluster()->node_values();
    if (values_->watts.size() != watts_.size())
      throw std::invalid_argument("the plugin thermal needs the plugin power before it");
    values_->watched = true;
    for (NodeId node = 0; node < watts_.size(); ++node) {
      rate_.push_back(ties(node) / tau_s_[node]);
      pull_.push_back(coupling_ / ties(node));
      step_decay_.push_back(std::exp(-step_s_ * rate_[node]));
      set_watts(node, values_->watts[node]);
    }
    for (NodeId node = 0; node < watts_.size(); ++node)
      temperature_[node] = air_c_[node] + resistance_[node] * watts_[node];
    hottest_c_ = temperature_;
    begin_s_ = next_sample_s_ = clock_s_;
    hottest_ = control.values().place("hottest_c");
    publish(control);
  }

  // Only with a limit: closes hot nodes and opens those that have cooled.
  void act(Control& control) override {
    advance(control.now());
    for (NodeId node = 0; node < temperature_.size(); ++node) {
      if (!closed_[node] && temperature_[node] >= limit_c_) {
        closed_[node] = 1;
        ++times_closed_;
        control.close(node);
      } else if (closed_[node] && temperature_[node] < resume_c_) {
        closed_[node] = 0;
        control.open(node);
      }
    }
    next_ = watches(control) ? control.now() + step_s_ : kNever;
  }
  void started(Control& control, JobId) override {
    if (limit_c_ != kNever && next_ == kNever) next_ = control.now() + step_s_;
  }

  // Changes at this instant take effect from now on.
  void before_pass(Control& control) override {
    advance(control.now());
    take_watts();
    publish(control);
  }
  void after_pass(Control&) override { take_watts(); }

  void finish(Control& control) override { advance(control.now()); }

  void report(Report& report) const override {
    for (NodeId node = 0; node < temperature_.size(); ++node) {
      report["node_temperatures/node"].push_back(node);
      report["node_temperatures/max_c"].push_back(hottest_c_[node]);
      const double passed = clock_s_ - begin_s_;
      report["node_temperatures/mean_c"].push_back(passed > 0 ? degree_s_[node] / passed : temperature_[node]);
      report["node_temperatures/last_c"].push_back(temperature_[node]);
    }
    for (std::size_t k = 0; k < sample_time_s_.size(); ++k) report["temperatures/time_s"].push_back(sample_time_s_[k]);
    report["temperatures/c"] = samples_;
    report["times_closed"] = {static_cast<double>(times_closed_)};
  }

 private:
  // Checks are needed while jobs run, or while a hot node is closed.
  bool watches(const Control& control) const {
    return !control.system().nothing_runs() || std::ranges::find(closed_, 1) != closed_.end();
  }

  void take_watts() {
    if (!values_->changed.empty()) still_ = false;
    for (const NodeId node : values_->changed) set_watts(node, values_->watts[node]);
    values_->changed.clear();
  }
  void set_watts(NodeId node, double watts) {
    watts_[node] = watts;
    alone_c_[node] = (air_c_[node] + resistance_[node] * watts) / ties(node);
  }
  double ties(NodeId node) const { return 1 + coupling_ * static_cast<double>(start_[node + 1] - start_[node]); }

  void publish(Control& control) {
    values_->temperature_c = temperature_;
    control.values().set(hottest_,
                         temperature_.empty() ? 0 : *std::max_element(temperature_.begin(), temperature_.end()));
  }

  void advance(Time now) {
    while (clock_s_ < now || next_sample_s_ <= now) {
      if (next_sample_s_ <= clock_s_) sample();
      const Time until = std::min({now, next_sample_s_, still_ ? kNever : clock_s_ + step_s_});
      if (until > clock_s_) step(until - clock_s_);
      clock_s_ = until;
    }
  }

  void step(Time length) {
    double moved = 0;
    const bool usual = length == step_s_;
    for (NodeId node = 0; node < temperature_.size(); ++node) {
      const double before = temperature_[node];
      new_[node] = still_ ? before : moved_towards(node, usual ? step_decay_[node] : decay(length * rate_[node]));
      moved = std::max(moved, std::abs(new_[node] - before));
      degree_s_[node] += (before + new_[node]) / 2 * length;
      hottest_c_[node] = std::max(hottest_c_[node], new_[node]);
    }
    temperature_.swap(new_);
    if (length == step_s_ && moved < kStill) still_ = true;
  }

  double moved_towards(NodeId node, double decay) const {
    double around = 0;
    for (std::int64_t k = start_[node]; k < start_[node + 1]; ++k)
      around += temperature_[static_cast<std::size_t>(neighbour_[k])];
    const double there = alone_c_[node] + pull_[node] * around;
    return there + (temperature_[node] - there) * decay;
  }

  // Nodes of one kind are adjacent, so the last exponential can mostly be reused.
  double decay(double exponent) {
    if (exponent == exponent_) return decay_;
    exponent_ = exponent;
    return decay_ = std::exp(-exponent);
  }

  void sample() {
    sample_time_s_.push_back(next_sample_s_);
    samples_.insert(samples_.end(), temperature_.begin(), temperature_.end());
    if (sample_time_s_.size() == kMostSamples) thin_out();
    next_sample_s_ = sample_time_s_.back() + sample_s_;
  }

  void thin_out() {
    const std::size_t nodes = temperature_.size();
    for (std::size_t k = 0; 2 * k < sample_time_s_.size(); ++k) {
      sample_time_s_[k] = sample_time_s_[2 * k];
      std::copy_n(samples_.begin() + static_cast<std::ptrdiff_t>(2 * k * nodes), nodes,
                  samples_.begin() + static_cast<std::ptrdiff_t>(k * nodes));
    }
    sample_time_s_.resize(kMostSamples / 2);
    samples_.resize(kMostSamples / 2 * nodes);
    sample_s_ *= 2;
  }

  std::vector<double> resistance_;  // by node: degrees per watt
  std::vector<Time> tau_s_;
  std::vector<double> air_c_;
  std::vector<std::int64_t> neighbour_, start_;  // node n has neighbour_[start_[n]] … neighbour_[start_[n + 1] - 1]
  double coupling_;
  Time step_s_, sample_s_;
  double limit_c_, resume_c_;
  Time clock_s_, begin_s_ = 0, next_sample_s_ = 0;
  std::vector<double> temperature_, new_, watts_, hottest_c_;
  std::vector<double> degree_s_;                  // integral of the temperature, for the mean
  std::vector<double> alone_c_;                   // by node: its part of the equilibrium without neighbours
  std::vector<double> rate_, pull_, step_decay_;  // by node: approach rate, weight of a neighbour, decay of a full step
  std::vector<char> closed_;                      // by node: closed because it is too hot
  std::int64_t times_closed_ = 0;
  bool still_ = false;  // temperatures are constant until power changes
  double exponent_ = 0, decay_ = 1;
  std::vector<Time> sample_time_s_;
  std::vector<double> samples_;  // [sample * nodes + node]
  NodeValues* values_ = nullptr;
  std::size_t hottest_ = 0;
};

const RegisterPlugin thermal{"thermal", [](const Plan& plan) { return std::make_unique<Thermal>(plan); }};

}  // namespace
}  // namespace thinktime
