package io.orrery.benchmarks.router.hostile;

import io.orrery.benchmarks.report.Quantiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The well-behaved clients: each asks on a connection of its own at a fixed rate, every other one
 * in a form that takes the general way. A time counts from when a request was due, so one that
 * waits for those before it is late as well.
 */
final class WellBehavedClients {
  private static final int CLIENTS = 4;
  private static final int PER_SECOND = 25;
  private static final int TIMEOUT_MILLIS = 5_000;

  /** Another one than that of the hostile clients: the router shares its memory by address. */
  private static final String ADDRESS = "127.0.0.2";

  private final int port;

  WellBehavedClients(int port) {
    this.port = port;
  }

  /** The outcome for the well-behaved clients. */
  record Fare(double p99Millis, int failed) {}

  /** Asks for so long. */
  Fare run(int millis) throws InterruptedException {
    List<Double> times = new CopyOnWriteArrayList<>();
    AtomicInteger failed = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      String request = i % 2 == 0 ? HostilePeer.plain("/") : HostilePeer.general("/");
      threads.add(Thread.ofPlatform().start(() -> ask(request, millis, times, failed)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    double p99 =
        times.isEmpty()
            ? TIMEOUT_MILLIS
            : new Quantiles(times.stream().mapToDouble(time -> time).toArray()).at(0.99);
    return new Fare(p99, failed.get());
  }

  private void ask(String request, int millis, List<Double> times, AtomicInteger failed) {
    long begin = System.nanoTime();
    long end = begin + millis * 1_000_000L;
    Socket open = null;
    for (long due = begin; due < end; due += 1_000_000_000L / PER_SECOND) {
      try {
        Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
        open = one(open, request);
        times.add((System.nanoTime() - due) / 1e6);
      } catch (IOException e) {
        failed.incrementAndGet();
        close(open);
        open = null;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    close(open);
  }

  /** Whether the router answers a new client. */
  boolean areServed() {
    try {
      close(one(null, HostilePeer.plain("/")));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** One request; the connection that may carry the next. */
  private Socket one(@Nullable Socket open, String request) throws IOException {
    Socket socket = open == null ? connect() : open;
    try {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String head = head(socket.getInputStream());
      if (!head.startsWith("HTTP/1.1 200")) {
        throw new IOException(head.lines().findFirst().orElse("no answer"));
      }
      socket.getInputStream().skipNBytes(2);
      return socket;
    } catch (IOException e) {
      close(socket);
      throw e;
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.setTcpNoDelay(true);
    socket.bind(new InetSocketAddress(InetAddress.ofLiteral(ADDRESS), 0));
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
    return socket;
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("closed");
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private static void close(@Nullable Socket socket) {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException e) {
      // Closed is what it was to be.
    }
  }
}
