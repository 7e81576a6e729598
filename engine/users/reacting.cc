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

RegisterUsers::RegisterUsers(const std::string& name, UsersFactory factory) { registry()[name] = std::move(factory); }

std::unique_ptr<UserModel> make_users(const std::string& name, const Plan& plan) {
  const auto at = registry().find(name);
  if (at == registry().end()) throw std::invalid_argument("no user model is called " + name);
  return at->second(plan);
}

}  // namespace thinktime
