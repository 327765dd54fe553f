package io.orrery.compute.remote;

/** A signal that another server owns an attempt now: nothing of it is to be done here any more. */
final class Elsewhere extends Exception {
  private static final long serialVersionUID = 1;

  Elsewhere() {
    super("another server owns it");
  }
}
