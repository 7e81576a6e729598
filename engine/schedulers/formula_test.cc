#include "schedulers/formula.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace thinktime;

namespace {

const Job kJob{.submit = 100, .duration = 1, .estimate = 30, .length = 40, .processors = 4, .row = 1};

double value(const std::string& postfix, const Options& options = {}, Time now = 160) {
  return Formula(postfix, options).value(1, kJob, now);
}

// A random formula and its value, computed while it is built.
struct Built {
  std::string text;
  double value;
};

Built build(std::mt19937& random, int depth) {
  const auto leaf = [&](const char* text, double number) { return Built{text, number}; };
  if (depth == 0) switch (random() % 5) {
      case 0: return leaf("wait", 60);
      case 1: return leaf("estimate", 30);
      case 2: return leaf("processors", 4);
      case 3: return leaf("2.5", 2.5);
      default: return leaf("area", 120);
    }
  const Built a = build(random, depth - 1), b = build(random, depth - 1);
  const std::string both = a.text + " " + b.text + " ";
  switch (random() % 8) {
    case 0: return {both + "+", a.value + b.value};
    case 1: return {both + "-", a.value - b.value};
    case 2: return {both + "*", a.value * b.value};
    case 3: return {both + "/", a.value / b.value};
    case 4: return {both + "min", b.value < a.value ? b.value : a.value};
    case 5: return {both + "<=", a.value <= b.value ? 1.0 : 0.0};
    case 6: return {a.text + " neg", -a.value};
    default: return {a.text + " 0 > " + both + "where", a.value > 0 ? a.value : b.value};
  }
}

}  // namespace

TEST_CASE("every key of a job") {
  CHECK(value("submit") == 100);
  CHECK(value("wait") == 60);
  CHECK(value("now") == 160);
  CHECK(value("estimate") == 30);
  CHECK(value("processors") == 4);
  CHECK(value("area") == 120);
  Options options;
  options.set("deadline_factor", 2.0);
  CHECK(value("deadline", options) == 160);
}

TEST_CASE("operands keep their order") {
  CHECK(value("wait estimate /") == 2);
  CHECK(value("7 2 -") == 5);
  CHECK(value("2 10 **") == 1024);
  CHECK(value("1 10 20 where") == 10);
  CHECK(value("0 10 20 where") == 20);
  CHECK(value("-3 abs") == 3);
  CHECK(value("8 log2 9 sqrt + 2.5 floor +") == 8);
}

TEST_CASE("columns and published values") {
  Options options;
  const auto published = std::make_shared<Values>();
  const auto columns = std::make_shared<JobColumns>(std::vector<std::string>{"gpus", "user"});
  for (const JobId id : {0, 1, 2}) columns->set(1, id, 5 + id);
  options.set("columns", ReadColumns(columns));
  options.set("values", published);
  CHECK(value("user", options) == 6);  // of the job's slot
  const Formula power("$power_w", options);
  CHECK(std::isnan(power.value(1, kJob, 0)));
  published->set(published->place("power_w"), 250);
  CHECK(std::isnan(power.value(1, kJob, 0)));  // only from the next pass on
  published->settle();
  CHECK(power.value(1, kJob, 0) == 250);
}

TEST_CASE("a formula is dynamic if it depends on the clock or on plugins") {
  CHECK(Formula("wait 2 *", {}).dynamic());
  CHECK(Formula("now", {}).dynamic());
  CHECK_FALSE(Formula("estimate processors *", {}).dynamic());
}

TEST_CASE("malformed formulas are refused") {
  for (const char* bad : {"", "+", "1 +", "1 2", "1 2 3 +", "nonsense", "1.5x", "$power_w"})
    CHECK_THROWS_AS(Formula(bad, {}), std::invalid_argument);
  std::string deep = "1";
  for (int k = 0; k < 100; ++k) deep += " 1";
  for (int k = 0; k < 100; ++k) deep += " +";
  CHECK_THROWS_AS(Formula(deep, {}), std::invalid_argument);
}

TEST_CASE("random formulas have the value of the expression, to the last bit") {
  std::mt19937 random(8);
  for (int trial = 0; trial < 2000; ++trial) {
    const Built built = build(random, 1 + static_cast<int>(random() % 4));
    const double found = value(built.text);
    CHECK((found == built.value || (std::isnan(found) && std::isnan(built.value))));
  }
}
