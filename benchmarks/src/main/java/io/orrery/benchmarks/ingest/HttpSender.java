package io.orrery.benchmarks.ingest;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Posts one batch after the other on a connection that is kept. */
final class HttpSender extends Sender {
  private static final byte[] GOOD = "HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII);

  private final Lines lines;
  private final ByteBuffer request;
  private final int head;
  private boolean waits;
  private long sentAt;

  HttpSender(InetSocketAddress server, Lines lines, Tally tally) throws IOException {
    super(server, tally);
    this.lines = lines;
    String start =
        "POST /api/v1/metrics HTTP/1.1\r\nHost: 127.0.0.1:"
            + server.getPort()
            + "\r\nContent-Length: "
            + lines.length()
            + "\r\n\r\n";
    this.head = start.length();
    this.request =
        ByteBuffer.allocate(head + lines.length()).put(start.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  boolean waits() {
    return waits;
  }

  @Override
  ByteBuffer next() {
    if (waits) {
      return ByteBuffer.allocate(0);
    }
    waits = true;
    sentAt = System.nanoTime();
    return request.clear().position(head).put(lines.next()).flip();
  }

  @Override
  void read(ByteBuffer answers) throws IOException {
    // An answer's only brace ends it.
    for (int at = answers.position(); at < answers.limit(); at++) {
      if (answers.get(at) == '}') {
        byte[] answer = new byte[at + 1 - answers.position()];
        answers.get(answer);
        if (!ByteBuffer.wrap(answer, 0, GOOD.length).equals(ByteBuffer.wrap(GOOD))) {
          throw new IOException(new String(answer, StandardCharsets.UTF_8));
        }
        waits = false;
        acknowledged(lines.batch(), sentAt);
      }
    }
  }
}
