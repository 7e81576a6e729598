// Factories by name, one registry per kind. A file registers its class when the program starts:
// `const RegisterScheduler easy{"easy", make_easy};`
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace thinktime {

template <class Made, class... Given>
class Registry {
 public:
  using Factory = std::function<std::unique_ptr<Made>(Given...)>;

  Registry(const std::string& name, Factory factory) { all()[name] = std::move(factory); }

  // `kind` appears in the error message.
  static std::unique_ptr<Made> make(const std::string& kind, const std::string& name, Given... given) {
    const auto at = all().find(name);
    if (at == all().end()) throw std::invalid_argument("no " + kind + " is called " + name);
    return at->second(given...);
  }

  static std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const auto& [name, factory] : all()) names.push_back(name);
    return names;
  }

 private:
  // A function-local static: it exists before the first file registers itself.
  static std::map<std::string, Factory>& all() {
    static std::map<std::string, Factory> factories;
    return factories;
  }
};

}  // namespace thinktime
