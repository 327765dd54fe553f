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
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Clients and endpoints on one thread. Reads a {@link Task} from each line of its standard input;
 * answers {@code begin} when the connections are warm, and then a line with the {@link
 * LoadOutcome}.
 */
final class LoadProgram {
  private static final int ENDPOINTS = 4;

  /** Which endpoint is killed, and which one takes its time. */
  private static final int MORTAL = 1;

  private static final int SLOW = 3;

  /** One answer of so many is late, where a task wants that. */
  private static final int LATE_ONE_OF = 50;

  private static final long SLOW_NANOS = 2_000_000_000L;
  private static final long WARM_NANOS = 300_000_000L;
  private static final int MOST_TIMES = 2_000_000;
  private static final int SHORTEST_ANSWER = 100;

  private record Late(long due, SelectionKey key, Endpoint endpoint) {}

  private final Selector selector = Selector.open();
  private final int[] ports = new int[ENDPOINTS];
  private final int[] served = new int[ENDPOINTS];
  private final float[] times = new float[MOST_TIMES];
  private final ArrayDeque<Late> late = new ArrayDeque<>();

  /** Clients without a request, and when the requests were due that found none. */
  private final ArrayDeque<Client> idle = new ArrayDeque<>();

  private final ArrayDeque<Long> waiting = new ArrayDeque<>();
  private Task task = new Task(0, "", 1, 0, 0, 0, 0, false, 0);
  private ByteBuffer[] requests = new ByteBuffer[0];
  private ByteBuffer response = ByteBuffer.allocate(0);
  private int answerBytes;
  private int answers;
  private int done;
  private int failed;
  private boolean measures;
  private boolean on;
  private long nextDue;

  private LoadProgram() throws IOException {}

  public static void main(String[] arguments) throws IOException {
    LoadProgram program = new LoadProgram();
    for (int i = 0; i < ENDPOINTS; i++) {
      program.listen(i);
    }
    System.out.println(Json.write(program.ports));
    for (String line = readLine(); !line.isEmpty(); line = readLine()) {
      program.run(Json.read(line, Task.class));
    }
  }

  /** Unbuffered: nothing may be read ahead of the next command. */
  static String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = System.in.read(); next >= 0 && next != '\n'; next = System.in.read()) {
      line.append((char) next);
    }
    return line.toString();
  }

  /** Takes connections for an endpoint, after its death at the port that it had. */
  private void listen(int endpoint) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), ports[endpoint]), 4096);
    server.configureBlocking(false);
    server.register(selector, SelectionKey.OP_ACCEPT, endpoint);
    ports[endpoint] = server.socket().getLocalPort();
  }

  private void kill(int endpoint) throws IOException {
    for (SelectionKey key : selector.keys()) {
      boolean listens = key.attachment() instanceof Integer number && number == endpoint;
      boolean serves = key.attachment() instanceof Endpoint one && one.number == endpoint;
      if (listens || serves) {
        key.channel().close();
      }
    }
    // A closed channel is let go by the next selection only; its port must be free before.
    selector.selectNow();
  }

  private void run(Task next) throws IOException {
    task = next;
    requests = new ByteBuffer[Math.min(next.domains(), next.connections())];
    for (int i = 0; i < requests.length; i++) {
      long number = (long) i * next.domains() / requests.length;
      requests[i] = request(next.host().replace("*", Long.toString(number)), next.bytes());
    }
    answerBytes = Math.max(next.bytes(), SHORTEST_ANSWER);
    response =
        message(
            "HTTP/1.1 200 OK\r\nServer: endpoint\r\nContent-Type: application/octet-stream\r\n",
            answerBytes,
            true);
    failed = 0;
    measures = false;
    on = true;
    for (int i = 0; i < next.connections(); i++) {
      connect(i);
    }
    nextDue = System.nanoTime();
    loop(WARM_NANOS);
    System.out.println("begin");
    measure(next.millis() * 1_000_000L);
    on = false;
    for (SelectionKey key : selector.keys()) {
      if (key.attachment() instanceof Client) {
        key.channel().close();
      }
    }
    idle.clear();
    waiting.clear();
    loop(100_000_000L);
    late.clear();
  }

  private void measure(long nanos) throws IOException {
    done = 0;
    failed = 0;
    Arrays.fill(served, 0);
    waiting.clear();
    measures = true;
    long begin = System.nanoTime();
    if (task.kills()) {
      loop(nanos / 3);
      kill(MORTAL);
      loop(nanos / 3);
      listen(MORTAL);
      loop(nanos / 3);
    } else {
      loop(nanos);
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    measures = false;
    double[] sample = new double[Math.clamp(done, 1, MOST_TIMES)];
    for (int i = 0; i < Math.min(done, MOST_TIMES); i++) {
      sample[i] = times[i];
    }
    Quantiles quantiles = new Quantiles(sample);
    System.out.println(
        Json.write(
            new LoadOutcome(
                done,
                failed,
                waiting.size(),
                done / seconds,
                quantiles.at(0.5),
                quantiles.at(0.99),
                quantiles.at(0.999),
                quantiles.at(1),
                served)));
  }

  private static ByteBuffer request(String host, int bytes) {
    String method = bytes == 0 ? "GET" : "POST";
    return message(
        method + " /v2/infer HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: load\r\nAccept: */*\r\n",
        bytes,
        bytes > 0);
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
    for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
      askWhatIsDue(now);
      answerWhoWaitedEnough(now);
      // With a rate the clock is watched closely; the core has nothing else to do.
      if (task.rate() > 0) {
        selector.selectNow();
      } else {
        selector.select(20);
      }
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

  private void askWhatIsDue(long now) throws IOException {
    if (!on || task.rate() == 0) {
      return;
    }
    long step = 1_000_000_000L / task.rate();
    for (; nextDue - now <= 0; nextDue += step) {
      Client client = idle.poll();
      if (client == null) {
        waiting.add(nextDue);
      } else {
        client.ask(nextDue);
      }
    }
  }

  private void answerWhoWaitedEnough(long now) throws IOException {
    for (Late first = late.peek(); first != null && first.due - now <= 0; first = late.peek()) {
      late.poll();
      if (first.key.isValid()) {
        try {
          first.endpoint.say(first.key, response);
        } catch (IOException e) {
          broken(first.key);
        }
      }
    }
  }

  private void broken(SelectionKey key) throws IOException {
    key.channel().close();
    if (key.attachment() instanceof Conversation conversation) {
      conversation.broken();
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
    if (key.isConnectable() && conversation instanceof Client client) {
      ((SocketChannel) key.channel()).finishConnect();
      key.interestOps(SelectionKey.OP_READ);
      client.connected(key);
    }
    if (key.isValid() && key.isWritable()) {
      conversation.sayMore(key);
    }
    if (key.isValid() && key.isReadable()) {
      conversation.hear(key);
    }
  }

  private void connect(int number) throws IOException {
    SocketChannel socket = SocketChannel.open();
    socket.configureBlocking(false);
    socket.socket().setTcpNoDelay(true);
    socket.register(selector, SelectionKey.OP_CONNECT, new Client(number));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), task.port()));
  }

  private final class Endpoint extends Conversation {
    private final int number;

    Endpoint(int number) {
      this.number = number;
    }

    @Override
    void heard(SelectionKey key, boolean good, long length) throws IOException {
      served[number]++;
      if (number == SLOW) {
        late.add(new Late(System.nanoTime() + SLOW_NANOS, key, this));
      } else if (task.lateMillis() > 0 && ++answers % LATE_ONE_OF == 0) {
        late.add(new Late(System.nanoTime() + task.lateMillis() * 1_000_000L, key, this));
      } else {
        say(key, response);
      }
    }

    @Override
    void broken() {
      // Proxies close connections as they like.
    }
  }

  private final class Client extends Conversation {
    private final int number;
    private long dueAt;
    private boolean asks;
    private @Nullable SelectionKey key;

    Client(int number) {
      this.number = number;
    }

    void connected(SelectionKey own) throws IOException {
      key = own;
      next();
    }

    /** Asks at once, or as soon as something is due. */
    private void next() throws IOException {
      if (task.rate() == 0) {
        ask(System.nanoTime());
        return;
      }
      Long due = waiting.poll();
      if (due == null) {
        idle.add(this);
      } else {
        ask(due);
      }
    }

    void ask(long due) throws IOException {
      SelectionKey own = key;
      if (own == null) {
        return;
      }
      dueAt = due;
      asks = true;
      try {
        say(own, requests[number % requests.length]);
      } catch (IOException e) {
        own.channel().close();
        broken();
      }
    }

    @Override
    void heard(SelectionKey own, boolean good, long length) throws IOException {
      asks = false;
      if (measures) {
        if (!good || length != answerBytes) {
          failed++;
        } else {
          if (done < MOST_TIMES) {
            times[done] = (System.nanoTime() - dueAt) / 1e6f;
          }
          done++;
        }
      }
      if (on) {
        next();
      }
    }

    @Override
    void broken() throws IOException {
      idle.remove(this);
      if (!on) {
        return;
      }
      // One that is closed while it is idle is no loss, nor is one that never asked.
      if (asks && measures) {
        failed++;
      }
      connect(number);
    }
  }
}
