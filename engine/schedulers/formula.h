// A composed queue order: a formula over the attributes of a waiting job, evaluated on a stack.
//
// The text is in postfix order, separated by blanks: `wait estimate / 2 *`. Operations are those of C on doubles, in
// the written order, so that reference/formula.py gives bit-identical numbers.
#pragma once
#include <string>
#include <vector>

#include "core/jobs.h"
#include "core/options.h"

namespace thinktime {

class Formula {
 public:
  // Any other name is one of the columns that policies read. `$NAME` is a value published by plugins, as it was when
  // the pass began.
  Formula(const std::string& postfix, const Options& options);

  double value(JobId id, const Job& job, Time now) const;
  bool dynamic() const { return dynamic_; }  // depends on the clock or on plugins
  const std::string& text() const { return text_; }

 private:
  static constexpr int kDeepest = 64;  // size of the stack

  enum class Op : std::uint8_t {
    // push a number
    number,
    column,
    published,
    submit,
    wait,
    estimate,
    processors,
    area,
    deadline,
    now,
    // replace the top
    negative,
    absolute,
    log2,
    log10,
    sqrt,
    exp,
    floor,
    // replace two by one
    add,
    subtract,
    multiply,
    divide,
    power,
    least,
    most,
    lt,
    le,
    gt,
    ge,
    eq,
    ne,
    // replace three by one
    choose
  };
  struct Step {
    Op op;
    std::uint32_t place = 0;  // of a column or of a published value
    double number = 0;
  };
  struct Word {
    const char* text;
    Op op;
    int takes;  // operands
  };
  static const Word kWords[];

  int compile(const std::string& word, const Options& options);  // returns the number of operands
  int load_column(const std::string& name, const Options& options);
  int look_at(const std::string& published, const Options& options);

  std::string text_;
  std::vector<Step> steps_;
  ReadColumns columns_;  // null if the formula reads none
  Published values_;     // published by plugins; null if the formula reads none
  double factor_;        // deadline = submit + factor * estimate
  bool dynamic_ = false;
};

}  // namespace thinktime
