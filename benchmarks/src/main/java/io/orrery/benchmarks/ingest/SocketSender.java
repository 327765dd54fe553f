package io.orrery.benchmarks.ingest;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Sends frames of a WebSocket (RFC 6455) for as long as not too many wait for their
 * acknowledgement. The mask is zero, which is a mask: the server cannot tell.
 */
final class SocketSender extends Sender {
  /** Frames in one write. */
  private static final int BURST = 50;

  /** Lines that may be on their way. */
  private static final int WINDOW = 4_000;

  private static final int LONGEST_HEAD = 14;

  /** The last line of a burst, counted from the first of the connection, and when it left. */
  private record Burst(long last, long sentAt) {}

  private final LineBatch lines;
  private final ByteBuffer burst;
  private final Deque<Burst> open = new ArrayDeque<>();
  private long sent;

  /** Lines that may have been sent by now. */
  private long allowed = Long.MAX_VALUE;

  private long told;

  SocketSender(InetSocketAddress server, LineBatch lines, IngestTally tally) throws IOException {
    super(server, tally);
    this.lines = lines;
    int frames = Math.max(1, Math.min(BURST, WINDOW / 2 / lines.batch()));
    this.burst = ByteBuffer.allocate(frames * (LONGEST_HEAD + lines.length()));
    shakeHands(server);
  }

  /** From now on only what is allowed is sent, this many lines more than so far. */
  void allow(int more) throws IOException {
    allowed = (allowed == Long.MAX_VALUE ? sent : allowed) + more;
    sendMore();
  }

  private void shakeHands(InetSocketAddress server) throws IOException {
    String request =
        "GET /api/v1/metrics/stream HTTP/1.1\r\nHost: 127.0.0.1:"
            + server.getPort()
            + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
    channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
    StringBuilder answer = new StringBuilder();
    ByteBuffer one = ByteBuffer.allocate(1);
    while (answer.indexOf("\r\n\r\n") < 0) {
      if (channel.read(one.clear()) < 0) {
        throw new IOException("no handshake: " + answer);
      }
      answer.append((char) one.get(0));
    }
    if (!answer.toString().startsWith("HTTP/1.1 101")) {
      throw new IOException("no handshake: " + answer);
    }
  }

  @Override
  boolean waits() {
    return !open.isEmpty();
  }

  @Override
  ByteBuffer next() {
    burst.clear();
    while (burst.remaining() >= LONGEST_HEAD + lines.length()
        && sent + lines.batch() <= allowed
        && sent - told + lines.batch() <= WINDOW) {
      frame(lines.next());
      sent += lines.batch();
    }
    if (burst.position() > 0) {
      open.add(new Burst(sent, System.nanoTime()));
    }
    return burst.flip();
  }

  private void frame(byte[] payload) {
    burst.put((byte) 0x81);
    if (payload.length < 126) {
      burst.put((byte) (0x80 | payload.length));
    } else if (payload.length < 1 << 16) {
      burst.put((byte) (0x80 | 126)).putShort((short) payload.length);
    } else {
      burst.put((byte) (0x80 | 127)).putLong(payload.length);
    }
    burst.putInt(0).put(payload);
  }

  @Override
  void read(ByteBuffer answers) throws IOException {
    while (answers.remaining() >= 2
        && answers.remaining() >= 2 + answers.get(answers.position() + 1)) {
      answers.get();
      byte[] text = new byte[answers.get()];
      answers.get(text);
      String said = new String(text, StandardCharsets.UTF_8);
      if (!said.startsWith("{\"ack\":")) {
        throw new IOException(said);
      }
      told = Long.parseLong(said.substring(7, said.length() - 1));
      while (!open.isEmpty() && open.getFirst().last() <= told) {
        Burst done = open.removeFirst();
        acknowledged(done.last() - durable(), done.sentAt());
      }
    }
  }
}
