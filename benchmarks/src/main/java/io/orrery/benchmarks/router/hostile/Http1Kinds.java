package io.orrery.benchmarks.router.hostile;

import java.io.IOException;
import java.util.List;
import java.util.Random;

/** The hostile clients of HTTP/1.1, on the way of bytes unless their name says otherwise. */
final class Http1Kinds {
  private static final String LARGE = "/bytes/10000000";

  private Http1Kinds() {}

  static List<HostileKind> all() {
    return List.of(
        new HostileKind(
            "h1-slow-readers", 100, router -> router.write(HostilePeer.plain(LARGE)).hold()),
        new HostileKind(
            "h1-slow-readers-general",
            100,
            router -> router.write(HostilePeer.general(LARGE)).hold()),
        new HostileKind(
            "h1-endless-unread", 50, router -> router.write(HostilePeer.plain("/endless")).hold()),
        new HostileKind(
            "h1-endless-unread-general",
            50,
            router -> router.write(HostilePeer.general("/endless")).hold()),
        new HostileKind("h1-byte-readers", 50, Http1Kinds::byteReaders),
        new HostileKind("h1-slow-heads", 200, Http1Kinds::slowHeads),
        new HostileKind(
            "h1-half-heads", 300, router -> router.begin("GET /", "a").write("X-Half: ").hold()),
        new HostileKind("h1-idle", 500, HostilePeer::hold),
        new HostileKind(
            "h1-half-bodies",
            200,
            router ->
                router.begin("POST /", "a").write(length(60_000)).write("x".repeat(30_000)).hold()),
        new HostileKind(
            "h1-large-half-bodies",
            50,
            router ->
                router
                    .begin("POST /", "a")
                    .write(length(10_000_000))
                    .write("x".repeat(1_000_000))
                    .hold()),
        new HostileKind("h1-slow-uploads", 100, router -> slowUpload(router, length(100_000), "x")),
        new HostileKind(
            "h1-slow-chunks", 100, router -> slowUpload(router, chunked(), "1\r\nx\r\n")),
        new HostileKind("h1-uploads-unread", 20, router -> flood(router, "a", "x".repeat(64_000))),
        new HostileKind(
            "h1-uploads-unread-general",
            20,
            router -> {
              router.begin("POST http://a.service.orrery.localhost/unread", "a");
              router.write(length(1_000_000_000));
              writeOn(router, "x".repeat(64_000));
            }),
        new HostileKind(
            "h1-chunk-extensions",
            8,
            router -> chunks(router, "1;x=" + "y".repeat(4_000) + "\r\nx\r\n")),
        new HostileKind("h1-tiny-chunks", 8, router -> chunks(router, "1\r\nx\r\n".repeat(100))),
        new HostileKind(
            "h1-trailers",
            50,
            router ->
                router
                    .begin("POST /", "a")
                    .write(chunked() + "0\r\nX-T: " + "y".repeat(7_000))
                    .hold()),
        new HostileKind(
            "h1-huge-heads",
            20,
            router -> heads(router, ("X-H: " + "y".repeat(7_000) + "\r\n").repeat(8))),
        new HostileKind(
            "h1-heads-over-the-limit",
            20,
            router -> heads(router, ("X-H: " + "y".repeat(7_000) + "\r\n").repeat(16))),
        new HostileKind("h1-many-fields", 20, router -> heads(router, "X: y\r\n".repeat(8_000))),
        new HostileKind(
            "h1-long-targets",
            20,
            router -> {
              router.write(HostilePeer.plain("/" + "y".repeat(15_000)));
              router.head();
              router.sleep(20);
            }),
        new HostileKind("h1-pipelining", 20, router -> pipeline(router, HostilePeer.plain("/"))),
        new HostileKind(
            "h1-pipelining-general", 20, router -> pipeline(router, HostilePeer.general("/"))),
        new HostileKind(
            "h1-pipelining-large",
            20,
            router -> pipeline(router, HostilePeer.plain("/bytes/1000000"))),
        new HostileKind("h1-ambiguous", 10, Http1Kinds::ambiguous),
        new HostileKind(
            "h1-resets",
            20,
            router -> {
              router.write(HostilePeer.plain(LARGE));
              router.sleep(20);
              router.reset();
            }),
        new HostileKind(
            "h1-open-and-close",
            20,
            router -> {
              router.sleep(10);
              router.close();
            }),
        new HostileKind(
            "h1-answers-abandoned",
            20,
            router -> {
              router.write(HostilePeer.plain(LARGE)).head();
              router.close();
            }),
        new HostileKind("h1-unknown-hosts", 10, Http1Kinds::unknownHosts),
        new HostileKind(
            "h1-expecting",
            100,
            router ->
                router
                    .begin("POST /unread", "a")
                    .write("Expect: 100-continue\r\n" + length(100_000))
                    .hold()),
        new HostileKind(
            "h1-silent-endpoint", 200, router -> router.write(HostilePeer.plain("/silent")).hold()),
        new HostileKind("h1-junk", 20, Http1Kinds::junk),
        new HostileKind(
            "h1-half-closed",
            100,
            router -> {
              router.write(HostilePeer.plain(LARGE)).endOutput();
              router.hold();
            }),
        new HostileKind(
            "mirror-slow-shadow",
            8,
            router -> {
              router.begin("POST /", "m").write(length(32_000)).write("x".repeat(32_000));
              router.head();
              router.sleep(5);
            }),
        new HostileKind(
            "mirror-large-uploads", 8, router -> flood(router, "m", "x".repeat(64_000))),
        new HostileKind(
            "mirror-slow-readers",
            50,
            router -> router.begin("GET " + LARGE, "m").write("\r\n").hold()),
        new HostileKind(
            "websocket-half-frames", 100, router -> webSocket(router, "/socket", new byte[] {1})),
        new HostileKind(
            "websocket-unread", 50, router -> webSocket(router, "/socket-flood", new byte[0])),
        new HostileKind("websocket-unread-uploads", 20, Http1Kinds::webSocketFlood),
        new HostileKind(
            "websocket-half-handshakes",
            100,
            router -> router.begin("GET /silent", "a").write(upgrade()).hold()));
  }

  private static String length(int bytes) {
    return "Content-Length: " + bytes + "\r\n\r\n";
  }

  private static String chunked() {
    return "Transfer-Encoding: chunked\r\n\r\n";
  }

  private static void byteReaders(HostilePeer router) throws IOException, InterruptedException {
    router.write(HostilePeer.plain(LARGE));
    while (!router.over() && router.read() >= 0) {
      router.sleep(100);
    }
  }

  private static void slowHeads(HostilePeer router) throws IOException, InterruptedException {
    String head = HostilePeer.plain("/" + "slow".repeat(100));
    for (int i = 0; i < head.length() && !router.over(); i++) {
      router.write(head.substring(i, i + 1));
      router.sleep(50);
    }
  }

  private static void slowUpload(HostilePeer router, String head, String piece)
      throws IOException, InterruptedException {
    router.begin("POST /", "a").write(head);
    while (!router.over()) {
      router.write(piece);
      router.sleep(50);
    }
  }

  /** A body for an endpoint that does not read it. */
  private static void flood(HostilePeer router, String service, String piece)
      throws IOException, InterruptedException {
    router.begin("POST /unread", service).write(length(1_000_000_000));
    writeOn(router, piece);
  }

  private static void writeOn(HostilePeer router, String piece)
      throws IOException, InterruptedException {
    while (!router.over()) {
      router.write(piece);
      router.sleep(2);
    }
  }

  private static void chunks(HostilePeer router, String chunk)
      throws IOException, InterruptedException {
    router.begin("POST /", "a").write(chunked());
    writeOn(router, chunk);
  }

  private static void heads(HostilePeer router, String fields)
      throws IOException, InterruptedException {
    router.begin("GET /", "a").write(fields + "\r\n").head();
    router.sleep(20);
  }

  /** Writes requests, as many as the router takes, and reads nothing. */
  private static void pipeline(HostilePeer router, String request)
      throws IOException, InterruptedException {
    writeOn(router, request.repeat(20));
  }

  private static void ambiguous(HostilePeer router) throws IOException, InterruptedException {
    router
        .begin("POST /", "a")
        .write(
            "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + HostilePeer.plain("/").repeat(50))
        .drain();
    router.sleep(20);
  }

  private static void unknownHosts(HostilePeer router) throws IOException, InterruptedException {
    for (int i = 0; !router.over(); i++) {
      router.write("GET / HTTP/1.1\r\nHost: h" + i + "x" + router.hashCode() + ".example\r\n\r\n");
      router.head();
      router.sleep(5);
    }
  }

  private static void junk(HostilePeer router) throws IOException, InterruptedException {
    byte[] bytes = new byte[10_000];
    new Random(bytes.length).nextBytes(bytes);
    router.write(bytes).drain();
    router.sleep(20);
  }

  private static String upgrade() {
    return String.join(
        "\r\n",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "",
        "");
  }

  private static void webSocket(HostilePeer router, String path, byte[] frame)
      throws IOException, InterruptedException {
    router.begin("GET " + path, "a").write(upgrade()).head();
    router.write(frame).hold();
  }

  private static void webSocketFlood(HostilePeer router) throws IOException, InterruptedException {
    router.begin("GET /socket-unread", "a").write(upgrade()).head();
    writeOn(router, "x".repeat(64_000));
  }
}
