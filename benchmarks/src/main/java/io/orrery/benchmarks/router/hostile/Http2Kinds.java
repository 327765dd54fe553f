package io.orrery.benchmarks.router.hostile;

import static io.orrery.benchmarks.router.hostile.HostileFrames.CONTINUATION;
import static io.orrery.benchmarks.router.hostile.HostileFrames.DATA;
import static io.orrery.benchmarks.router.hostile.HostileFrames.END_HEADERS;
import static io.orrery.benchmarks.router.hostile.HostileFrames.END_STREAM;
import static io.orrery.benchmarks.router.hostile.HostileFrames.HEADERS;
import static io.orrery.benchmarks.router.hostile.HostileFrames.PING;
import static io.orrery.benchmarks.router.hostile.HostileFrames.PRIORITY;
import static io.orrery.benchmarks.router.hostile.HostileFrames.RST_STREAM;
import static io.orrery.benchmarks.router.hostile.HostileFrames.SETTINGS;
import static io.orrery.benchmarks.router.hostile.HostileFrames.WINDOW_UPDATE;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/** The hostile clients of HTTP/2 without TLS. */
final class Http2Kinds {
  private static final String LARGE = "/bytes/10000000";
  private static final int NORMAL = 65_535;
  private static final int WIDE = Integer.MAX_VALUE;
  private static final int STREAMS = 100;

  private Http2Kinds() {}

  static List<HostileKind> all() {
    return List.of(
        new HostileKind("h2-zero-windows", 10, router -> gets(router, 0).hold()),
        new HostileKind("h2-no-updates", 10, router -> gets(router, NORMAL).hold()),
        new HostileKind(
            "h2-wide-unread",
            10,
            router -> {
              open(router, WIDE).write(WINDOW_UPDATE, 0, 0, HostileFrames.number(WIDE - NORMAL));
              ask(router);
              router.hold();
            }),
        new HostileKind("h2-one-byte-updates", 10, Http2Kinds::oneByteUpdates),
        new HostileKind("h2-half-uploads", 20, Http2Kinds::halfUploads),
        new HostileKind("h2-slow-uploads", 20, Http2Kinds::slowUploads),
        new HostileKind("h2-uploads-unread", 10, Http2Kinds::uploadsUnread),
        new HostileKind("h2-rapid-reset", 10, Http2Kinds::rapidReset),
        new HostileKind("h2-made-to-reset", 10, Http2Kinds::madeToReset),
        new HostileKind("h2-pings", 10, router -> flood(router, PING, 0, 0, new byte[8])),
        new HostileKind("h2-settings", 10, router -> flood(router, SETTINGS, 0, 0)),
        new HostileKind(
            "h2-window-updates",
            10,
            router -> flood(router, WINDOW_UPDATE, 0, 0, HostileFrames.number(1))),
        new HostileKind("h2-empty-data", 10, router -> onStream(router, DATA, 0)),
        new HostileKind("h2-padding", 10, router -> onStream(router, DATA, 8, new byte[1])),
        new HostileKind("h2-priorities", 10, Http2Kinds::priorities),
        new HostileKind("h2-continuations", 10, Http2Kinds::continuations),
        new HostileKind("h2-empty-continuations", 10, Http2Kinds::emptyContinuations),
        new HostileKind("h2-header-bombs", 10, Http2Kinds::headerBombs),
        new HostileKind("h2-large-heads", 10, Http2Kinds::largeHeads),
        new HostileKind(
            "h2-unknown-frames", 10, router -> flood(router, 0x42, 0, 0, new byte[1_000])),
        new HostileKind(
            "h2-half-frames",
            100,
            router -> {
              open(router, NORMAL);
              router
                  .write(HostileFrames.frame(HEADERS, END_HEADERS, 1, 16_000, new byte[8_000]))
                  .hold();
            }),
        new HostileKind(
            "h2-half-prefaces", 200, router -> router.write("PRI * HTTP/2.0\r\n\r\n").hold()),
        new HostileKind(
            "h2-idle",
            300,
            router -> {
              open(router, NORMAL);
              router.hold();
            }),
        new HostileKind(
            "h2-silent-endpoint",
            10,
            router -> {
              HostileFrames frames = open(router, NORMAL);
              for (int i = 0; i < STREAMS; i++) {
                frames.get(2 * i + 1, "/silent");
              }
              router.hold();
            }),
        new HostileKind("h2-requests-unread", 10, Http2Kinds::requestsUnread));
  }

  private static HostileFrames open(HostilePeer router, int window) throws IOException {
    return HostileFrames.open(router, window);
  }

  private static HostilePeer gets(HostilePeer router, int window) throws IOException {
    HostileFrames frames = open(router, window);
    for (int i = 0; i < STREAMS; i++) {
      frames.get(2 * i + 1, LARGE);
    }
    return router;
  }

  private static void ask(HostilePeer router) throws IOException {
    for (int i = 0; i < STREAMS; i++) {
      router.write(
          HostileFrames.frame(
              HEADERS,
              END_HEADERS | END_STREAM,
              2 * i + 1,
              HostileFrames.head("GET", LARGE).length,
              HostileFrames.head("GET", LARGE)));
    }
  }

  private static void oneByteUpdates(HostilePeer router) throws IOException, InterruptedException {
    HostileFrames frames = open(router, 0);
    for (int i = 0; i < STREAMS; i++) {
      frames.get(2 * i + 1, LARGE);
    }
    while (!router.over()) {
      for (int i = 0; i < STREAMS; i++) {
        frames.write(WINDOW_UPDATE, 0, 2 * i + 1, HostileFrames.number(1));
      }
      router.sleep(100);
    }
  }

  private static void halfUploads(HostilePeer router) throws IOException, InterruptedException {
    HostileFrames frames = open(router, NORMAL);
    for (int i = 0; i < STREAMS; i++) {
      frames.post(2 * i + 1, "/").write(DATA, 0, 2 * i + 1, new byte[600]);
    }
    router.hold();
  }

  private static void slowUploads(HostilePeer router) throws IOException, InterruptedException {
    HostileFrames frames = open(router, NORMAL);
    for (int i = 0; i < 20; i++) {
      frames.post(2 * i + 1, "/");
    }
    while (!router.over()) {
      for (int i = 0; i < 20; i++) {
        frames.write(DATA, 0, 2 * i + 1, (byte) 1);
      }
      router.sleep(50);
    }
  }

  /** As much as the router's windows take, for an endpoint that does not read. */
  private static void uploadsUnread(HostilePeer router) throws IOException, InterruptedException {
    HostileFrames frames = open(router, NORMAL);
    for (int i = 0; i < STREAMS; i++) {
      frames.post(2 * i + 1, "/unread");
    }
    // No more than the first window of the connection and of each stream.
    for (int i = 0; i < STREAMS && !router.over(); i++) {
      frames.write(DATA, 0, 2 * i + 1, new byte[NORMAL / STREAMS]);
    }
    router.hold();
  }

  private static void rapidReset(HostilePeer router) throws IOException, InterruptedException {
    HostileFrames frames = open(router, NORMAL);
    for (int stream = 1; !router.over(); stream += 2) {
      frames.get(stream, "/").write(RST_STREAM, 0, stream, HostileFrames.number(8));
      pause(router, stream);
    }
  }

  /** Makes the router reset streams, by an update of nothing. */
  private static void madeToReset(HostilePeer router) throws IOException, InterruptedException {
    HostileFrames frames = open(router, NORMAL);
    for (int stream = 1; !router.over(); stream += 2) {
      frames.get(stream, "/").write(WINDOW_UPDATE, 0, stream, HostileFrames.number(0));
      pause(router, stream);
    }
  }

  private static void pause(HostilePeer router, int stream) throws InterruptedException {
    if (stream % 20 == 1) {
      router.sleep(5);
    }
  }

  private static void flood(HostilePeer router, int type, int flags, int stream, byte... payload)
      throws IOException, InterruptedException {
    flood(router, open(router, NORMAL), type, flags, stream, payload);
  }

  private static void onStream(HostilePeer router, int type, int flags, byte... payload)
      throws IOException, InterruptedException {
    flood(router, open(router, NORMAL).post(1, "/"), type, flags, 1, payload);
  }

  /** Frames without end, a thousand and more a second, none of whose answers is read. */
  private static void flood(
      HostilePeer router, HostileFrames frames, int type, int flags, int stream, byte... payload)
      throws IOException, InterruptedException {
    while (!router.over()) {
      for (int i = 0; i < 20; i++) {
        frames.write(type, flags, stream, payload);
      }
      router.sleep(5);
    }
  }

  private static void priorities(HostilePeer router) throws IOException, InterruptedException {
    HostileFrames frames = open(router, NORMAL);
    for (int stream = 1; !router.over(); stream += 2) {
      frames.write(PRIORITY, 0, stream, new byte[] {0, 0, 0, 0, 16});
      pause(router, stream);
    }
  }

  private static void emptyContinuations(HostilePeer router)
      throws IOException, InterruptedException {
    HostileFrames frames = open(router, NORMAL);
    frames.write(HEADERS, END_STREAM, 1, HostileFrames.head("GET", "/"));
    flood(router, frames, CONTINUATION, 0, 1);
  }

  private static void continuations(HostilePeer router) throws IOException, InterruptedException {
    HostileFrames frames = open(router, NORMAL);
    frames.write(HEADERS, END_STREAM, 1, HostileFrames.head("GET", "/"));
    ByteArrayOutputStream field = new ByteArrayOutputStream();
    HostileFrames.field(field, "x-more", "y".repeat(10_000));
    flood(router, frames, CONTINUATION, 0, 1, field.toByteArray());
  }

  /** One long field put into the dynamic table, named again and again by one byte each. */
  private static void headerBombs(HostilePeer router) throws IOException, InterruptedException {
    HostileFrames frames = open(router, NORMAL);
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.writeBytes(HostileFrames.head("GET", "/"));
    head.write(0x40);
    HostileFrames.text(head, "x-bomb");
    HostileFrames.text(head, "y".repeat(3_900));
    for (int i = 0; i < 12_000; i++) {
      head.write(0x80 | 62);
    }
    for (int stream = 1; !router.over(); stream += 2) {
      frames.write(HEADERS, END_HEADERS | END_STREAM, stream, head.toByteArray());
      router.sleep(20);
    }
  }

  private static void largeHeads(HostilePeer router) throws IOException, InterruptedException {
    HostileFrames frames = open(router, NORMAL);
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.writeBytes(HostileFrames.head("GET", "/silent"));
    HostileFrames.field(head, "x-large", "y".repeat(7_000));
    for (int i = 0; i < STREAMS && !router.over(); i++) {
      frames.write(HEADERS, END_HEADERS | END_STREAM, 2 * i + 1, head.toByteArray());
    }
    router.hold();
  }

  /** Small requests, none of whose answers is read. */
  private static void requestsUnread(HostilePeer router) throws IOException, InterruptedException {
    HostileFrames frames = open(router, WIDE);
    for (int stream = 1; !router.over(); stream += 2) {
      frames.get(stream, "/bytes/10000");
      pause(router, stream);
    }
  }
}
