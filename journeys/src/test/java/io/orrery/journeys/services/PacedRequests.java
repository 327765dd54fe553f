package io.orrery.journeys.services;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks a service so many times a second, whether answers have come or not, as long as no more than
 * some are missing. What is no answer 200 is kept. One thread and no client of HTTP: it shares the
 * machine with what it loads.
 */
final class PacedRequests implements AutoCloseable {
  private static final int CONNECTIONS = 128;
  private static final int MOST_BYTES = 16 << 10;
  private static final long PAUSE_MILLIS = 1;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final Pattern STATUS = Pattern.compile("^HTTP/1\\.1 (\\d{3}) ");
  private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)\r\n");
  private static final String END = "\r\n\r\n";

  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger answers = new AtomicInteger();
  private final AtomicInteger underWay = new AtomicInteger();
  private final int rate;
  private final InetSocketAddress to;
  private final byte[] request;
  private final long begun = System.nanoTime();
  private final ArrayDeque<Connection> idle = new ArrayDeque<>();
  private final Selector selector;
  private final Thread thread;
  private int open;
  private long sent;
  private volatile boolean sends = true;
  private volatile boolean closed;
  private volatile long ended;

  /**
   * @param rate requests a second
   */
  PacedRequests(int rate, URI url) {
    this.rate = rate;
    this.to = new InetSocketAddress(InetAddress.getLoopbackAddress(), url.getPort());
    this.request =
        "GET / HTTP/1.1\r\nHost: %s:%d\r\n\r\n"
            .formatted(url.getHost(), url.getPort())
            .getBytes(StandardCharsets.US_ASCII);
    try {
      this.selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.thread = Thread.ofPlatform().name("paced-requests").start(this::run);
  }

  private void run() {
    try (selector) {
      while (!closed) {
        send();
        selector.select(key -> ((Connection) key.attachment()).read(), PAUSE_MILLIS);
      }
      for (SelectionKey key : List.copyOf(selector.keys())) {
        key.channel().close();
      }
    } catch (IOException | RuntimeException e) {
      failures.add("the client: " + e);
      underWay.set(0);
    }
  }

  private void send() {
    long due = (long) ((System.nanoTime() - begun) / NANOS_PER_SECOND * rate);
    while (sends && sent < due) {
      Connection next = idle.pollLast();
      if (next == null && open == CONNECTIONS) {
        return;
      }
      sent++;
      underWay.incrementAndGet();
      try {
        Connection with = next == null ? new Connection() : next;
        with.write();
      } catch (IOException e) {
        failed(e.toString());
      }
    }
  }

  private void failed(String why) {
    failures.add(why);
    underWay.decrementAndGet();
  }

  /** A connection, with one request on it at a time. */
  private final class Connection {
    private final SocketChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(MOST_BYTES);
    private boolean asked;

    Connection() throws IOException {
      channel = SocketChannel.open(to);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, this);
      open++;
    }

    void write() throws IOException {
      asked = true;
      ByteBuffer out = ByteBuffer.wrap(request);
      while (out.hasRemaining()) {
        channel.write(out);
      }
    }

    void read() {
      try {
        if (channel.read(buffer) < 0) {
          lost("the connection was closed without an answer");
        } else {
          answered();
        }
      } catch (IOException e) {
        lost(e.toString());
      }
    }

    private void lost(String why) {
      open--;
      idle.remove(this);
      if (asked) {
        failed(why);
      }
      try {
        channel.close();
      } catch (IOException e) {
        failures.add(e.toString());
      }
    }

    private void answered() {
      String text = new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1);
      int head = text.indexOf(END);
      Matcher length = LENGTH.matcher(text);
      if (head < 0 || !length.find()) {
        return;
      }
      int body = head + END.length();
      if (text.length() < body + Integer.parseInt(length.group(1))) {
        return;
      }
      Matcher status = STATUS.matcher(text);
      String code = status.find() ? status.group(1) : text;
      if (!code.equals("200")) {
        failures.add(code + " " + text.substring(body).strip());
      }
      buffer.clear();
      asked = false;
      answers.incrementAndGet();
      underWay.decrementAndGet();
      idle.addLast(this);
    }
  }

  Collection<String> failures() {
    return List.copyOf(failures);
  }

  int answers() {
    return answers.get();
  }

  /** Answers a second, from the first request to the end. */
  double rate() {
    return answers.get() / (((ended == 0 ? System.nanoTime() : ended) - begun) / NANOS_PER_SECOND);
  }

  @Override
  public void close() {
    if (ended == 0) {
      ended = System.nanoTime();
      sends = false;
      await().atMost(ServiceJourney.PATIENCE).until(() -> underWay.get() == 0);
      closed = true;
      selector.wakeup();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
