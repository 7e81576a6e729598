#include "applications/deviates.h"

#include <cmath>

namespace thinktime {
namespace {

double ratio(double r, const double (&top)[8], const double (&bottom)[8], double times = 1.0) {
  double above = top[7], below = bottom[7];
  for (int k = 6; k >= 0; --k) {
    above = above * r + top[k];
    below = below * r + bottom[k];
  }
  return above * times / below;
}

// Wichura 1988, algorithm AS 241 (PPND16): ratios of polynomials, from the constant term up.
constexpr double kMiddleTop[8] = {3.3871328727963666080e+0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                  1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                  3.3430575583588128105e+4, 2.5090809287301226727e+3};
constexpr double kMiddleBottom[8] = {1.0,
                                     4.2313330701600911252e+1,
                                     6.8718700749205790830e+2,
                                     5.3941960214247511077e+3,
                                     2.1213794301586595867e+4,
                                     3.9307895800092710610e+4,
                                     2.8729085735721942674e+4,
                                     5.2264952788528545610e+3};
constexpr double kOuterTop[8] = {1.42343711074968357734e+0, 4.63033784615654529590e+0, 5.76949722146069140550e+0,
                                 3.64784832476320460504e+0, 1.27045825245236838258e+0, 2.41780725177450611770e-1,
                                 2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr double kOuterBottom[8] = {1.0,
                                    2.05319162663775882187e+0,
                                    1.67638483018380384940e+0,
                                    6.89767334985100004550e-1,
                                    1.48103976427480074590e-1,
                                    1.51986665636164571966e-2,
                                    5.47593808499534494600e-4,
                                    1.05075007164441684324e-9};
constexpr double kFarTop[8] = {6.65790464350110377720e+0, 5.46378491116411436990e+0, 1.78482653991729133580e+0,
                               2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                               2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr double kFarBottom[8] = {1.0,
                                  5.99832206555887937690e-1,
                                  1.36929880922735805310e-1,
                                  1.48753612908506148525e-2,
                                  7.86869131145613259100e-4,
                                  1.84631831751005468180e-5,
                                  1.42151175831644588870e-7,
                                  2.04426310338993978564e-15};

double normal_quantile(double p) {
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) return ratio(0.180625 - q * q, kMiddleTop, kMiddleBottom, q);
  const double r = std::sqrt(-std::log(q <= 0 ? p : 1.0 - p));
  const double x = r <= 5 ? ratio(r - 1.6, kOuterTop, kOuterBottom) : ratio(r - 5, kFarTop, kFarBottom);
  return q < 0 ? -x : x;
}

// Marsaglia and Tsang 2000, for a shape of at least 1.
double large_gamma(Philox& random, double shape) {
  const double d = shape - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = standard_normal(random);
    const double u = open_uniform(random);
    const double root = 1.0 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

}  // namespace

double standard_normal(Philox& random) { return normal_quantile(open_uniform(random)); }

double standard_exponential(Philox& random) { return -std::log(open_uniform(random)); }

double standard_gamma(Philox& random, double shape) {
  if (shape >= 1) return large_gamma(random, shape);
  const double larger = large_gamma(random, shape + 1.0);
  return larger * std::pow(open_uniform(random), 1.0 / shape);
}

}  // namespace thinktime
