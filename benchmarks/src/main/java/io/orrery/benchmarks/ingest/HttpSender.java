package io.orrery.benchmarks.ingest;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Posts one batch after the other on a connection that is kept. */
final class HttpSender extends Sender {
  private final LineBatch lines;
  private final ByteBuffer request;
  private final int head;
  private boolean waits;
  private long sentAt;

  /**
   * @param path where it posts to
   */
  HttpSender(InetSocketAddress server, String path, LineBatch lines, IngestTally tally)
      throws IOException {
    this(server, path, "", lines, tally);
  }

  /**
   * A sender that shows a token.
   *
   * @param token empty for none
   */
  HttpSender(
      InetSocketAddress server, String path, String token, LineBatch lines, IngestTally tally)
      throws IOException {
    super(server, tally);
    this.lines = lines;
    String start =
        "POST "
            + path
            + " HTTP/1.1\r\nHost: 127.0.0.1:"
            + server.getPort()
            + (token.isEmpty() ? "" : "\r\nAuthorization: Bearer " + token)
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
    for (HttpAnswer answer = HttpAnswer.take(answers);
        answer != null;
        answer = HttpAnswer.take(answers)) {
      if (!answer.good()) {
        throw new IOException(answer.text());
      }
      waits = false;
      acknowledged(lines.batch(), sentAt);
    }
  }
}
