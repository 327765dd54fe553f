package io.orrery.gateway.live;

import java.util.List;

/** The changes since the last update: the newest state of each object, once. */
public interface News {
  /** The update, as few events as possible; nothing is left after it. */
  List<Event> take();

  /** Returns the events that a new client is told first. */
  List<Event> greeting();

  /** Whether nothing will ever follow. */
  boolean over();
}
