package io.orrery.core.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for servers that have to be told theirs, or that come back to it. They are below those that
 * a system gives to connections, of which any could have such a port by the time its server begins,
 * and below those of services (from 30,000 on).
 */
public final class FreePort {
  private static final int FIRST = 11_000;
  private static final int COUNT = 19_000;

  /** Tests may run in several processes at once, of which each begins elsewhere. */
  private static final AtomicInteger NEXT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 1_000 % COUNT));

  private FreePort() {}

  /** Returns a port of 127.0.0.1 that is free, and that is not given here again soon. */
  public static int take() {
    for (int tries = 0; tries < COUNT; tries++) {
      int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
      try (ServerSocket there = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return there.getLocalPort();
      } catch (IOException taken) {
        continue;
      }
    }
    throw new IllegalStateException("no port from " + FIRST + " on is free");
  }
}
