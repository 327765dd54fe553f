package io.orrery.benchmarks.router;

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
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Clients and endpoints on one thread, in a process of their own that is tied to one core: no proxy
 * is measured with the help of its own machinery. Reads commands from its standard input: {@code
 * port host connections request seconds}; answers {@code begin} when the connections are warm, and
 * then a line of JSON.
 */
final class LoadProgram {
  private static final int ENDPOINTS = 3;
  private static final long WARM_NANOS = 700_000_000L;
  private static final int MOST_TIMES = 2_000_000;

  private final Selector selector = Selector.open();
  private final int[] served = new int[ENDPOINTS];
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(1 << 18);
  private final byte[] head = new byte[1 << 18];
  private final float[] times = new float[MOST_TIMES];
  private ByteBuffer request = ByteBuffer.allocate(0);
  private ByteBuffer response = ByteBuffer.allocate(0);
  private int done;
  private int failed;
  private boolean measures;
  private boolean on;

  private LoadProgram() throws IOException {}

  public static void main(String[] arguments) throws IOException {
    LoadProgram program = new LoadProgram();
    StringBuilder ports = new StringBuilder("ports");
    for (int i = 0; i < ENDPOINTS; i++) {
      ports.append(' ').append(program.listen(i));
    }
    System.out.println(ports);
    while (true) {
      String line = readLine();
      if (line.isEmpty()) {
        return;
      }
      String[] words = line.split(" ");
      program.run(
          Integer.parseInt(words[0]),
          words[1],
          Integer.parseInt(words[2]),
          Integer.parseInt(words[3]),
          Integer.parseInt(words[4]));
    }
  }

  /** Unbuffered: nothing may be read ahead of the next command. */
  private static String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = System.in.read(); next >= 0 && next != '\n'; next = System.in.read()) {
      line.append((char) next);
    }
    return line.toString();
  }

  private int listen(int endpoint) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4096);
    server.configureBlocking(false);
    server.register(selector, SelectionKey.OP_ACCEPT, endpoint);
    return server.socket().getLocalPort();
  }

  private void run(int port, String host, int connections, int bytes, int seconds)
      throws IOException {
    request =
        message(
            (bytes == 0 ? "GET" : "POST")
                + " /v2/infer HTTP/1.1\r\nHost: "
                + host
                + "\r\nUser-Agent: load\r\nAccept: */*\r\n",
            bytes,
            bytes > 0);
    response =
        message(
            "HTTP/1.1 200 OK\r\nServer: endpoint\r\nContent-Type: application/octet-stream\r\n",
            Math.max(bytes, 100),
            true);
    done = 0;
    failed = 0;
    measures = false;
    on = true;
    for (int i = 0; i < connections; i++) {
      client(port);
    }
    loop(WARM_NANOS);
    System.out.println("begin");
    done = 0;
    Arrays.fill(served, 0);
    measures = true;
    long begin = System.nanoTime();
    loop(seconds * 1_000_000_000L);
    double elapsed = (System.nanoTime() - begin) / 1e9;
    measures = false;
    report(elapsed);
    on = false;
    for (SelectionKey key : selector.keys()) {
      if (key.attachment() instanceof Client) {
        key.channel().close();
      }
    }
    loop(200_000_000L);
  }

  private void report(double elapsed) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("done", done);
    line.put("failed", failed);
    line.put("requestsPerSecond", done / elapsed);
    int count = Math.min(done, MOST_TIMES);
    double[] sample = new double[Math.max(1, count)];
    for (int i = 0; i < count; i++) {
      sample[i] = times[i];
    }
    Quantiles quantiles = new Quantiles(sample);
    line.put("p50Ms", quantiles.at(0.5));
    line.put("p99Ms", quantiles.at(0.99));
    line.put("served", served.clone());
    System.out.println(Json.write(line));
  }

  private static ByteBuffer message(String start, int bytes, boolean body) {
    String text = start + (body ? "Content-Length: " + bytes + "\r\n" : "") + "\r\n";
    byte[] plain = text.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer message = ByteBuffer.allocateDirect(plain.length + (body ? bytes : 0));
    message.put(plain);
    while (message.hasRemaining()) {
      message.put((byte) 'x');
    }
    return message.flip();
  }

  private void loop(long nanos) throws IOException {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() < end) {
      selector.select(20);
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

  private void broken(SelectionKey key) throws IOException {
    key.channel().close();
    if (on && key.attachment() instanceof Client client) {
      failed++;
      client(client.port);
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
        socket.register(selector, SelectionKey.OP_READ, new Endpoint((int) key.attachment()));
      }
      return;
    }
    Conversation conversation = (Conversation) key.attachment();
    if (key.isConnectable()) {
      ((SocketChannel) key.channel()).finishConnect();
      key.interestOps(SelectionKey.OP_READ);
      conversation.say(key, request);
    }
    if (key.isValid() && key.isWritable()) {
      conversation.sayMore(key);
    }
    if (key.isValid() && key.isReadable()) {
      conversation.hear(key);
    }
  }

  private void client(int port) throws IOException {
    SocketChannel socket = SocketChannel.open();
    socket.configureBlocking(false);
    socket.socket().setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.register(selector, SelectionKey.OP_CONNECT, new Client(port));
  }

  /** One connection: messages with a length come in, each is answered with one. */
  private abstract class Conversation {
    private byte[] start = new byte[0];
    private long body = -1;
    private boolean good;
    private @Nullable ByteBuffer unsaid;

    /** A message is complete; {@code good} when it begins as it should. */
    abstract void heard(SelectionKey key, boolean good) throws IOException;

    void say(SelectionKey key, ByteBuffer message) throws IOException {
      ByteBuffer view = message.duplicate();
      ((SocketChannel) key.channel()).write(view);
      if (view.hasRemaining()) {
        unsaid = view;
        key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
      }
    }

    void sayMore(SelectionKey key) throws IOException {
      ByteBuffer rest = unsaid;
      if (rest != null) {
        ((SocketChannel) key.channel()).write(rest);
      }
      if (rest == null || !rest.hasRemaining()) {
        unsaid = null;
        key.interestOps(SelectionKey.OP_READ);
      }
    }

    void hear(SelectionKey key) throws IOException {
      scratch.clear();
      int read = ((SocketChannel) key.channel()).read(scratch);
      if (read < 0) {
        throw new IOException("closed");
      }
      scratch.flip();
      while (scratch.hasRemaining()) {
        if (body < 0) {
          readHead();
          if (body < 0) {
            return;
          }
        }
        int skip = (int) Math.min(body, scratch.remaining());
        scratch.position(scratch.position() + skip);
        body -= skip;
        if (body == 0) {
          body = -1;
          heard(key, good);
          if (!key.isValid()) {
            return;
          }
        }
      }
    }

    private void readHead() {
      int kept = start.length;
      System.arraycopy(start, 0, head, 0, kept);
      int more = Math.min(scratch.remaining(), head.length - kept);
      scratch.get(scratch.position(), head, kept, more);
      int end = endOfHead(kept + more);
      if (end < 0) {
        start = Arrays.copyOf(head, kept + more);
        scratch.position(scratch.limit());
        return;
      }
      start = new byte[0];
      scratch.position(scratch.position() + end - kept);
      good = head[0] != 'H' || head[9] == '2';
      body = length(end);
    }

    private int endOfHead(int length) {
      for (int i = 3; i < length; i++) {
        if (head[i] == '\n' && head[i - 1] == '\r' && head[i - 2] == '\n') {
          return i + 1;
        }
      }
      return -1;
    }

    private long length(int end) {
      for (int i = 0; i + 16 < end; i++) {
        if (head[i] == '\n'
            && (head[i + 1] | 32) == 'c'
            && (head[i + 9] | 32) == 'l'
            && head[i + 15] == ':') {
          long length = 0;
          int at = head[i + 16] == ' ' ? i + 17 : i + 16;
          for (; head[at] >= '0' && head[at] <= '9'; at++) {
            length = length * 10 + head[at] - '0';
          }
          return length;
        }
      }
      return 0;
    }
  }

  private final class Endpoint extends Conversation {
    private final int number;

    Endpoint(int number) {
      this.number = number;
    }

    @Override
    void heard(SelectionKey key, boolean good) throws IOException {
      served[number]++;
      say(key, response);
    }
  }

  private final class Client extends Conversation {
    private final int port;
    private long asked;

    Client(int port) {
      this.port = port;
    }

    @Override
    void say(SelectionKey key, ByteBuffer message) throws IOException {
      asked = System.nanoTime();
      super.say(key, message);
    }

    @Override
    void heard(SelectionKey key, boolean good) throws IOException {
      if (measures) {
        if (!good) {
          failed++;
        } else {
          if (done < MOST_TIMES) {
            times[done] = (System.nanoTime() - asked) / 1e6f;
          }
          done++;
        }
      }
      if (on) {
        say(key, request);
      }
    }
  }
}
