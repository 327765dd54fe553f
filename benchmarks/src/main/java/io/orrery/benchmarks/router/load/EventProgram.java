package io.orrery.benchmarks.router.load;

import io.orrery.benchmarks.report.Quantiles;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Clients that listen to streams of events, and the endpoint that sends them, on one thread. A
 * connection is one stream without end; each event is a chunk of its own and says when it was sent.
 * Takes tasks as {@link LoadProgram} does: the connections are streams, the bytes those of an
 * event, and the rate is that of the events of all streams together.
 */
final class EventProgram {
  private static final long WARM_NANOS = 500_000_000L;
  private static final long LAST_NANOS = 100_000_000L;
  private static final int MOST_TIMES = 2_000_000;
  private static final int DIGITS = 19;
  private static final byte[] HEAD =
      String.join(
              "\r\n",
              "HTTP/1.1 200 OK",
              "Content-Type: text/event-stream",
              "Cache-Control: no-cache",
              "Transfer-Encoding: chunked",
              "",
              "")
          .getBytes(StandardCharsets.US_ASCII);

  private final Selector selector = Selector.open();
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(1 << 18);
  private final float[] times = new float[MOST_TIMES];
  private final List<SocketChannel> streams = new ArrayList<>();
  private Task task = new Task(0, "", 1, 0, 0, 0, 0, false, 0);
  private ByteBuffer event = ByteBuffer.allocate(0);
  private int stampAt;
  private int next;
  private long nextDue;
  private int sent;
  private int done;
  private int failed;
  private boolean on;
  private boolean measures;

  private EventProgram() throws IOException {}

  public static void main(String[] arguments) throws IOException {
    EventProgram program = new EventProgram();
    ServerSocketChannel server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4096);
    server.configureBlocking(false);
    server.register(program.selector, SelectionKey.OP_ACCEPT);
    System.out.println(Json.write(new int[] {server.socket().getLocalPort()}));
    for (String line = LoadProgram.readLine(); !line.isEmpty(); line = LoadProgram.readLine()) {
      program.run(Json.read(line, Task.class));
    }
  }

  private void run(Task asked) throws IOException {
    task = asked;
    event = chunk(asked.bytes());
    measures = false;
    on = true;
    for (int i = 0; i < asked.connections(); i++) {
      connect();
    }
    nextDue = System.nanoTime();
    loop(WARM_NANOS);
    System.out.println("begin");
    sent = 0;
    done = 0;
    failed = 0;
    measures = true;
    long begin = System.nanoTime();
    loop(asked.millis() * 1_000_000L);
    double seconds = (System.nanoTime() - begin) / 1e9;
    measures = false;
    on = false;
    System.out.println(Json.write(outcome(seconds)));
    for (SelectionKey key : selector.keys()) {
      if (key.attachment() instanceof Listening) {
        key.channel().close();
      }
    }
    loop(LAST_NANOS);
  }

  private LoadOutcome outcome(double seconds) {
    double[] sample = new double[Math.clamp(done, 1, MOST_TIMES)];
    for (int i = 0; i < Math.min(done, MOST_TIMES); i++) {
      sample[i] = times[i];
    }
    Quantiles quantiles = new Quantiles(sample);
    return new LoadOutcome(
        done,
        failed,
        0,
        done / seconds,
        quantiles.at(0.5),
        quantiles.at(0.99),
        quantiles.at(0.999),
        quantiles.at(1),
        new int[] {sent});
  }

  /** One event with its framing; its stamp is written anew each time that it is sent. */
  private ByteBuffer chunk(int bytes) {
    String begin = Integer.toHexString(bytes) + "\r\ndata: ";
    stampAt = begin.length();
    int filling = bytes - "data: ".length() - DIGITS - " \n\n".length();
    String text = begin + "0".repeat(DIGITS) + ' ' + "x".repeat(filling) + "\n\n\r\n";
    byte[] plain = text.getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocateDirect(plain.length).put(plain).flip();
  }

  private void loop(long nanos) throws IOException {
    long end = System.nanoTime() + nanos;
    for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
      sendWhatIsDue(now);
      selector.selectNow();
      Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
      while (keys.hasNext()) {
        SelectionKey key = keys.next();
        keys.remove();
        try {
          handle(key);
        } catch (IOException e) {
          broken(key);
        }
      }
    }
  }

  /** What was due while there was no stream is not sent. */
  private void sendWhatIsDue(long now) {
    if (!on || streams.isEmpty()) {
      nextDue = now;
      return;
    }
    long step = 1_000_000_000L / task.rate();
    for (; nextDue - now <= 0 && !streams.isEmpty(); nextDue += step) {
      next = (next + 1) % streams.size();
      send(streams.get(next));
    }
  }

  private void send(SocketChannel stream) {
    long stamp = System.nanoTime();
    for (int i = DIGITS - 1; i >= 0; i--) {
      event.put(stampAt + i, (byte) ('0' + stamp % 10));
      stamp /= 10;
    }
    try {
      // A stream that does not take an event whole is far behind, and ends.
      if (stream.write(event.duplicate()) == event.capacity()) {
        sent += measures ? 1 : 0;
        return;
      }
    } catch (IOException e) {
      // Its proxy has closed it, as one does whose client is gone.
    }
    end(stream);
  }

  private void end(SocketChannel stream) {
    streams.remove(stream);
    try {
      stream.close();
    } catch (IOException e) {
      System.err.println("could not close a stream: " + e.getMessage());
    }
  }

  private void handle(SelectionKey key) throws IOException {
    if (!key.isValid()) {
      return;
    }
    if (key.isAcceptable()) {
      SocketChannel socket = ((ServerSocketChannel) key.channel()).accept();
      if (socket != null) {
        socket.configureBlocking(false);
        socket.socket().setTcpNoDelay(true);
        socket.register(selector, SelectionKey.OP_READ);
      }
      return;
    }
    SocketChannel socket = (SocketChannel) key.channel();
    if (key.isConnectable()) {
      socket.finishConnect();
      key.interestOps(SelectionKey.OP_READ);
      String head = "GET /v2/stream HTTP/1.1\r\nHost: " + task.host() + "\r\nAccept: */*\r\n\r\n";
      socket.write(ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)));
    }
    if (key.isValid() && key.isReadable()) {
      scratch.clear();
      if (socket.read(scratch) < 0) {
        throw new IOException("closed");
      }
      scratch.flip();
      if (key.attachment() instanceof Listening client) {
        client.hear(scratch);
      } else if (!streams.contains(socket)) {
        // A request is short and comes whole; another one on its connection would be a fault.
        socket.write(ByteBuffer.wrap(HEAD));
        streams.add(socket);
      }
    }
  }

  private void broken(SelectionKey key) throws IOException {
    if (key.attachment() instanceof Listening) {
      key.channel().close();
      if (on) {
        failed += measures ? 1 : 0;
        connect();
      }
    } else {
      end((SocketChannel) key.channel());
    }
  }

  private void connect() throws IOException {
    SocketChannel socket = SocketChannel.open();
    socket.configureBlocking(false);
    socket.socket().setTcpNoDelay(true);
    socket.register(selector, SelectionKey.OP_CONNECT, new Listening());
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), task.port()));
  }

  /** A client. It sees the end of an event by its empty line, whatever the chunks are. */
  private final class Listening {
    private static final String STATUS = "HTTP/1.1 200";
    private static final String FIELD = "data: ";

    private int statusSeen;
    private int fieldSeen;
    private long stamp;
    private byte last;

    void hear(ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) {
        byte here = bytes.get();
        if (statusSeen < STATUS.length()) {
          if (here != STATUS.charAt(statusSeen++)) {
            throw new IOException("the answer is not 200");
          }
        } else if (fieldSeen < FIELD.length()) {
          fieldSeen = here == FIELD.charAt(fieldSeen) ? fieldSeen + 1 : here == 'd' ? 1 : 0;
        } else if (here == '\n' && last == '\n') {
          heard();
        } else if (fieldSeen == FIELD.length() && here >= '0' && here <= '9') {
          stamp = stamp * 10 + here - '0';
        } else {
          fieldSeen = FIELD.length() + 1;
        }
        last = here;
      }
    }

    private void heard() {
      if (measures) {
        if (done < MOST_TIMES) {
          times[done] = (System.nanoTime() - stamp) / 1e6f;
        }
        done++;
      }
      fieldSeen = 0;
      stamp = 0;
    }
  }
}
