// A queue order that somebody composed: a formula over what is known of a waiting job, as a program for a stack.
//
// The text is in postfix order with blanks between: `wait estimate / 2 *`. Operations are those of C on doubles, in
// the order in which they are written, so that reference/formula.py gives the same numbers to the last bit.
#pragma once
#include <string>
#include <vector>

#include "core/jobs.h"
#include "core/options.h"

namespace thinktime {

class Formula {
 public:
  // Names that are no key of the engine are columns of the workload: the option `column.NAME` holds the numbers.
  // `$NAME` is a value that plugins publish, as it was when the pass began.
  Formula(const std::string& postfix, const Options& options);

  double value(const Job& job, Time now) const;
  bool dynamic() const { return dynamic_; }  // it depends on the clock, or on plugins
  const std::string& text() const { return text_; }

 private:
  static constexpr int kDeepest = 64;  // numbers on the stack

  enum class Op : std::uint8_t {
    number,
    column,
    published,
    submit,
    wait,
    estimate,
    processors,
    area,
    deadline,
    now,  // put one on the stack
    negative,
    absolute,
    log2,
    log10,
    sqrt,
    exp,
    floor,  // replace the top
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
    ne,      // two become one
    choose,  // three become one
  };
  struct Step {
    Op op;
    std::uint32_t column = 0;  // which of columns_, or the place of a published value
    double number = 0;
  };
  struct Word {
    const char* text;
    Op op;
    int takes;  // numbers from the stack
  };
  static const Word kWords[];

  int compile(const std::string& word, const Options& options);  // returns how many numbers it takes
  int load_column(const std::string& name, const Options& options);
  int look_at(const std::string& published, const Options& options);

  std::string text_;
  std::vector<Step> steps_;
  std::vector<Column> columns_;
  Published values_;  // of the plugins; nobody if the formula looks at none
  double factor_;     // a deadline is submit + factor * estimate
  bool dynamic_ = false;
};

}  // namespace thinktime
