// The sample of scheduling passes: regular, and never longer than its limit.
#include "simulation/decisions.h"

#include <doctest/doctest.h>

using namespace thinktime;

namespace {

// Rows of all timed passes among `passes`; the queue length of a row is the number of its pass.
Decisions after(std::int64_t passes, bool every_pass) {
  Decisions decisions(every_pass);
  for (std::int64_t pass = 0; pass < passes; ++pass)
    if (decisions.timed(static_cast<std::uint64_t>(pass))) decisions.add({0.0, pass, 2.0, 0.0, 0});
  return decisions;
}

}  // namespace

TEST_CASE("a sample is every n-th pass, for a power of two") {
  for (const std::int64_t passes : {1, 63, 64, 65, 1000, 16'384, 100'000, 5'000'000}) {
    const std::vector<Decision> rows = after(passes, false).rows();
    const std::int64_t step = rows.size() > 1 ? rows[1].queued_jobs : 1;
    CHECK((step & (step - 1)) == 0);
    CHECK(static_cast<std::int64_t>(rows.size()) == (passes + step - 1) / step);
    for (std::size_t row = 0; row < rows.size(); ++row)
      REQUIRE(rows[row].queued_jobs == static_cast<std::int64_t>(row) * step);
    CHECK(rows.size() < 16'384);
  }
}

TEST_CASE("short runs are timed whole, long ones once in 256 passes") {
  CHECK(after(63, false).rows().size() == 63);
  CHECK(after(64, false).rows().size() == 32);
  CHECK(after(1'000'000, false).rows()[1].queued_jobs == 256);
}

TEST_CASE("every pass is kept on request, also if the rows are taken on the way") {
  Decisions decisions = after(1000, true);
  CHECK(decisions.take().size() == 1000);
  CHECK(decisions.rows().empty());
  decisions.add({0.0, 1000, 2.0, 0.0, 0});
  CHECK(decisions.rows().size() == 1);
  CHECK(decisions.count() == 1001);
  CHECK(decisions.seconds() == 2002.0);
}
