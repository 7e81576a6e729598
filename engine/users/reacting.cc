#include "users/reacting.h"

#include <map>

namespace thinktime {
namespace {

// Inside a function, so that it exists before the first model's file registers itself.
std::map<std::string, UsersFactory>& registry() {
  static std::map<std::string, UsersFactory> factories;
  return factories;
}

}  // namespace

std::vector<bool> Reacting::take_ties(const Plan& plan, Plan::Indices unit, std::size_t units) {
  std::vector<bool> shares(units, false);
  by_log_ = plan.options.text("ties", "planned") == "original";
  const auto recorded = plan.times("recorded_s", unit.size());
  places_.resize(unit.size());
  together_.assign(unit.size(), kNobody);
  for (JobId from = 0, past; from < unit.size(); from = past) {
    bool several = false;
    for (past = from + 1; past < unit.size() && recorded[past] == recorded[from]; ++past)
      several = several || unit[past] != unit[from];
    for (JobId job = from; several && job < past; ++job) {
      together_[job] = from;
      shares[static_cast<std::size_t>(unit[job])] = true;
    }
  }
  return shares;
}

RegisterUsers::RegisterUsers(const std::string& name, UsersFactory factory) { registry()[name] = std::move(factory); }

std::unique_ptr<UserModel> make_users(const std::string& name, const Plan& plan) {
  const auto at = registry().find(name);
  if (at == registry().end()) throw std::invalid_argument("no user model is called " + name);
  return at->second(plan);
}

}  // namespace thinktime
