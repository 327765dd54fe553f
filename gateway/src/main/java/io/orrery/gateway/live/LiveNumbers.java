package io.orrery.gateway.live;

/**
 * The ids of events: a number that rises over all feeds of one start of the server, behind the name
 * of that start. So an id of another start is recognised, and so is one of a feed that has been
 * away in between: whatever it numbers now is higher.
 */
final class LiveNumbers {
  /** The number of an id that is none of ours. */
  static final long UNKNOWN = -1;

  private final String start;
  private long last;

  LiveNumbers(String start) {
    this.start = start;
  }

  long next() {
    return ++last;
  }

  String id(long number) {
    return start + "-" + number;
  }

  /** The number in an id, {@link #UNKNOWN} when it is not of this start. */
  long of(String id) {
    if (!id.startsWith(start + "-")) {
      return UNKNOWN;
    }
    try {
      return Long.parseLong(id.substring(start.length() + 1));
    } catch (NumberFormatException e) {
      return UNKNOWN;
    }
  }
}
