package io.orrery.core.http;

/** The decoder's failure for a head that it read and that {@link HeadRules} refuses. */
final class RefusedHeadException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient HeadFault fault;

  RefusedHeadException(HeadFault fault) {
    super(fault.detail(), null, false, false);
    this.fault = fault;
  }

  HeadFault fault() {
    return fault;
  }
}
