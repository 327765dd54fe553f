package io.orrery.benchmarks.router.hostile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asks as well-behaved clients of each form of a request do, as fast as they are answered, before
 * anything is measured: a router that is attacked has run for days, and what it does is compiled.
 * Without it the first kind of each form would measure the compiler. It does nothing that a hostile
 * client does: it reads answers, sends bodies whole, and asks for eight at once at most.
 */
final class WarmUp {
  private static final int CLIENTS_OF_A_FORM = 2;
  private static final int REQUESTS = 40;
  private static final int NORMAL_WINDOW = 65_535;
  private static final String BODY = "x".repeat(1_000);

  private final int port;
  private final AtomicBoolean over = new AtomicBoolean();

  private WarmUp(int port) {
    this.port = port;
  }

  /** Asks for so long. */
  static void run(int port, int millis) throws InterruptedException {
    WarmUp clients = new WarmUp(port);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CLIENTS_OF_A_FORM; i++) {
      threads.add(Thread.ofVirtual().start(() -> clients.ask(peer -> http1(peer, ""))));
      threads.add(
          Thread.ofVirtual()
              .start(() -> clients.ask(peer -> http1(peer, "http://a.service.orrery.localhost"))));
      threads.add(Thread.ofVirtual().start(() -> clients.ask(WarmUp::http2)));
    }
    Thread.sleep(millis);
    clients.over.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** One connection after the other. */
  private void ask(HostileKind.Script script) {
    while (!over.get()) {
      try (HostilePeer peer = new HostilePeer(port, over::get)) {
        script.play(peer);
      } catch (IOException e) {
        throw new IllegalStateException("a client of the warm-up was not served", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static void http1(HostilePeer peer, String origin) throws IOException {
    for (int i = 0; i < REQUESTS; i++) {
      if (i % 4 == 3) {
        peer.begin("POST " + origin + "/", "a")
            .write("Content-Length: " + BODY.length() + "\r\n\r\n" + BODY);
        answer(peer);
      } else {
        peer.begin("GET " + origin + path(i), "a").write("\r\n");
        answer(peer);
      }
    }
  }

  private static String path(int i) {
    return i % 20 == 5 ? "/bytes/300000" : "/bytes/500";
  }

  private static void answer(HostilePeer peer) throws IOException {
    String head = peer.head();
    int length = head.indexOf("Content-Length: ") + "Content-Length: ".length();
    peer.read(Integer.parseInt(head, length, head.indexOf('\r', length), 10));
  }

  private static void http2(HostilePeer peer) throws IOException {
    HostileFrames frames = HostileFrames.open(peer, NORMAL_WINDOW);
    int open = 0;
    for (int stream = 1; stream < 2 * REQUESTS; stream += 2) {
      if (stream % 8 == 7) {
        frames
            .post(stream, "/")
            .write(
                HostileFrames.DATA,
                HostileFrames.END_STREAM,
                stream,
                BODY.getBytes(StandardCharsets.US_ASCII));
      } else {
        frames.get(stream, "/bytes/500");
      }
      open++;
      while (open == 8) {
        open -= ended(peer);
      }
    }
    while (open > 0) {
      open -= ended(peer);
    }
  }

  /** Reads a frame, and whether it ends a stream. */
  private static int ended(HostilePeer peer) throws IOException {
    ByteBuffer head = ByteBuffer.wrap(peer.read(9));
    int length = head.getInt() >>> 8;
    int type = head.get(3);
    int flags = head.get(4);
    peer.read(length);
    boolean ends =
        (type == HostileFrames.DATA || type == HostileFrames.HEADERS)
            && (flags & HostileFrames.END_STREAM) != 0;
    return ends ? 1 : 0;
  }
}
