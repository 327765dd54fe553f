package io.orrery.compute.batch;

import java.util.List;

/** A service that gives ids, and minds no name that comes twice. */
public interface Nameless {
  /** How its jobs of a name are, in its own words, the oldest first. */
  List<String> states(String name);

  /** Whether jobs that come from now on wait, until they are stopped. */
  void full(boolean is);
}
