// The program of all native tests: `make native`. Tests of X are in X_test.cc, next to X.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
