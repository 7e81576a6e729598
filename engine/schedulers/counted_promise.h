// EASY's promise on a counted machine: the shadow time, and the extra processors beyond the head's need.
#pragma once
#include "platform/expected_ends.h"
#include "schedulers/waiting_list.h"

namespace thinktime {

class CountedPromise {
 public:
  // A refusal holds until a job ends.
  bool refusals_stand(const System&) const { return true; }
  void all_tried_from_now_on() {}
  void submitted(const System&, JobId) {}

  void started(const System& system, JobId id) { running_.add(system.job(id)); }
  void ended(const System& system, JobId id) { running_.remove(system.job(id)); }

  void shrunk(const System& system, const GivenBack& given) {
    const Job& job = system.job(given.job);
    running_.remove(Release{job.expected_end(), job.sequence, job.processors + given.processors});
    running_.add(job);
  }

  void make(const System& system, JobId head, bool count_ties) {
    promise_ = running_.promise(system.now(), system.really_free(), system.job(head).processors, count_ties);
  }
  void keep(const System&, JobId) {}  // the promise stays valid; extra only shrinks

  Time shadow() const { return promise_.shadow; }
  Gap gap(const System& system) const { return {system.now(), promise_.shadow, system.free(), promise_.extra}; }

  // Every job that the gap admits may start; if it does not end by the shadow, it uses extra processors.
  bool admit(System& system, JobId id) {
    const Job& job = system.job(id);
    if (!gap(system).over_by_shadow(job)) promise_.extra -= job.processors;
    return true;
  }

 private:
  ExpectedEnds running_;
  Promise promise_;
};

}  // namespace thinktime
