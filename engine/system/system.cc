#include "system/system.h"

namespace thinktime {

void System::running_by_end(std::vector<JobId>& jobs) const {
  std::vector<End> ends = ends_.entries();
  std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.before(b); });
  for (const End& end : ends) jobs.push_back(end.job());
}

void System::running_on(NodeId node, std::vector<JobId>& jobs) const {
  for (const End& end : ends_.entries())
    each_node(cluster_->placement(end.job()), [&](NodeId at, Processors) {
      if (at == node) jobs.push_back(end.job());
    });
  std::sort(jobs.begin(), jobs.end(), [&](JobId a, JobId b) { return jobs_[a].sequence < jobs_[b].sequence; });
}

}  // namespace thinktime
