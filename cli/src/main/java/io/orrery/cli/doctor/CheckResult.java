package io.orrery.cli.doctor;

/**
 * The outcome of one check.
 *
 * @param found what is there
 * @param advice what to do; empty when nothing need be done
 */
record CheckResult(String check, Verdict verdict, String found, String advice) {
  /** Says how well something is. */
  enum Verdict {
    OK,
    WARN,
    FAIL
  }

  static CheckResult ok(String check, String found) {
    return new CheckResult(check, Verdict.OK, found, "");
  }

  static CheckResult warn(String check, String found, String advice) {
    return new CheckResult(check, Verdict.WARN, found, advice);
  }

  static CheckResult fail(String check, String found, String advice) {
    return new CheckResult(check, Verdict.FAIL, found, advice);
  }
}
