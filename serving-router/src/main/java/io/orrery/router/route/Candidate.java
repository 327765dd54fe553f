package io.orrery.router.route;

/** An endpoint as the {@link Picker} sees it. */
public interface Candidate {
  /** Whether it may get requests now. */
  boolean available();

  /** Requests that it works on. */
  int outstanding();

  /** The costs that these declared, together. */
  long cost();

  /** How much of its full share it should get, above 0 and up to 1: less in slow start. */
  double warmth();

  /** The same for the same endpoint for as long as it exists. */
  long identity();
}
