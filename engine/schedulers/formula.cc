#include "schedulers/formula.h"

#include <charconv>
#include <cmath>
#include <sstream>

namespace thinktime {

const Formula::Word Formula::kWords[] = {
    {"submit", Op::submit, 0},
    {"wait", Op::wait, 0},
    {"estimate", Op::estimate, 0},
    {"processors", Op::processors, 0},
    {"area", Op::area, 0},
    {"deadline", Op::deadline, 0},
    {"now", Op::now, 0},
    {"neg", Op::negative, 1},
    {"abs", Op::absolute, 1},
    {"log2", Op::log2, 1},
    {"log10", Op::log10, 1},
    {"sqrt", Op::sqrt, 1},
    {"exp", Op::exp, 1},
    {"floor", Op::floor, 1},
    {"+", Op::add, 2},
    {"-", Op::subtract, 2},
    {"*", Op::multiply, 2},
    {"/", Op::divide, 2},
    {"**", Op::power, 2},
    {"min", Op::least, 2},
    {"max", Op::most, 2},
    {"<", Op::lt, 2},
    {"<=", Op::le, 2},
    {">", Op::gt, 2},
    {">=", Op::ge, 2},
    {"==", Op::eq, 2},
    {"!=", Op::ne, 2},
    {"where", Op::choose, 3},
};

Formula::Formula(const std::string& postfix, const Options& options)
    : text_(postfix), factor_(options.number("deadline_factor", 1.0)) {
  std::istringstream words(postfix);
  int depth = 0;
  for (std::string word; words >> word;) {
    const int takes = compile(word, options);
    if (depth < takes) throw std::invalid_argument("the formula " + postfix + " lacks a number before " + word);
    depth += 1 - takes;
    if (depth > kDeepest) throw std::invalid_argument("the formula " + postfix + " is nested too deeply");
  }
  if (depth != 1) throw std::invalid_argument("the formula " + postfix + " does not give one number");
}

int Formula::compile(const std::string& word, const Options& options) {
  for (const Word& known : kWords) {
    if (word != known.text) continue;
    steps_.push_back({known.op});
    dynamic_ |= known.op == Op::wait || known.op == Op::now;
    return known.takes;
  }
  if (word.starts_with('$')) return look_at(word.substr(1), options);
  double number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return load_column(word, options);
  steps_.push_back({Op::number, 0, number});
  return 0;
}

int Formula::load_column(const std::string& name, const Options& options) {
  columns_ = options.columns();
  if (!columns_) throw std::invalid_argument("a formula needs the column " + name + ", which is missing");
  steps_.push_back({Op::column, static_cast<std::uint32_t>(columns_->place(name))});
  return 0;
}

int Formula::look_at(const std::string& published, const Options& options) {
  values_ = options.values();
  if (!values_)
    throw std::invalid_argument("a formula needs the value " + published + ", but no plugin publishes values");
  steps_.push_back({Op::published, static_cast<std::uint32_t>(values_->place(published))});
  dynamic_ = true;
  return 0;
}

double Formula::value(JobId id, const Job& job, Time now) const {
  double stack[kDeepest + 1];
  double* top = stack;  // the next free position
  for (const Step& step : steps_) {
    switch (step.op) {
      case Op::number: *top++ = step.number; break;
      case Op::column: *top++ = columns_->at(step.place, id); break;
      case Op::published: *top++ = values_->settled(step.place); break;
      case Op::submit: *top++ = job.submit; break;
      case Op::wait: *top++ = now - job.submit; break;
      case Op::estimate: *top++ = job.estimate; break;
      case Op::processors: *top++ = job.processors; break;
      case Op::area: *top++ = job.processors * job.estimate; break;
      case Op::deadline: *top++ = job.submit + factor_ * job.estimate; break;
      case Op::now: *top++ = now; break;
      case Op::negative: top[-1] = -top[-1]; break;
      case Op::absolute: top[-1] = std::fabs(top[-1]); break;
      case Op::log2: top[-1] = std::log2(top[-1]); break;
      case Op::log10: top[-1] = std::log10(top[-1]); break;
      case Op::sqrt: top[-1] = std::sqrt(top[-1]); break;
      case Op::exp: top[-1] = std::exp(top[-1]); break;
      case Op::floor: top[-1] = std::floor(top[-1]); break;
      case Op::add:
        --top;
        top[-1] = top[-1] + *top;
        break;
      case Op::subtract:
        --top;
        top[-1] = top[-1] - *top;
        break;
      case Op::multiply:
        --top;
        top[-1] = top[-1] * *top;
        break;
      case Op::divide:
        --top;
        top[-1] = top[-1] / *top;
        break;
      case Op::power:
        --top;
        top[-1] = std::pow(top[-1], *top);
        break;
      case Op::least:
        --top;
        top[-1] = *top < top[-1] ? *top : top[-1];
        break;
      case Op::most:
        --top;
        top[-1] = *top > top[-1] ? *top : top[-1];
        break;
      case Op::lt:
        --top;
        top[-1] = top[-1] < *top;
        break;
      case Op::le:
        --top;
        top[-1] = top[-1] <= *top;
        break;
      case Op::gt:
        --top;
        top[-1] = top[-1] > *top;
        break;
      case Op::ge:
        --top;
        top[-1] = top[-1] >= *top;
        break;
      case Op::eq:
        --top;
        top[-1] = top[-1] == *top;
        break;
      case Op::ne:
        --top;
        top[-1] = top[-1] != *top;
        break;
      case Op::choose:
        top -= 2;
        top[-1] = top[-1] != 0 ? top[0] : top[1];
        break;
    }
  }
  return top[-1];
}

}  // namespace thinktime
