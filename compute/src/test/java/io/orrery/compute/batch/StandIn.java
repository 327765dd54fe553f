package io.orrery.compute.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.orrery.core.json.Json;
import io.orrery.core.net.FreePort;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A batch service for tests: a real HTTP server with a memory, that answers as the documentation of
 * its model says and refuses everything else. One call at a time, so its state needs no locks.
 */
public abstract class StandIn implements AutoCloseable {
  /** How many of the next calls are refused because there are too many. */
  public final AtomicInteger crowded = new AtomicInteger();

  /** The status with which every call is refused; 0 for none. */
  public final AtomicInteger refusing = new AtomicInteger();

  /** Whether the next submission is taken and its answer lost. */
  public final AtomicBoolean forgetful = new AtomicBoolean();

  /** Method and path of every call. */
  public final List<String> calls = new CopyOnWriteArrayList<>();

  /** The other end's port of each of them: a client keeps its connections. */
  public final List<Integer> callers = new CopyOnWriteArrayList<>();

  private final Semaphore way = new Semaphore(0);
  private volatile @Nullable String slow;
  private volatile boolean stalled;

  protected final Machines machines;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private HttpServer server;
  private final int port;

  /**
   * @param directory where its containers write
   */
  @SuppressWarnings("this-escape") // its port is not known before it is whole
  protected StandIn(Path directory) throws IOException {
    this.machines = new Machines(directory);
    this.port = FreePort.take();
    this.server = open();
  }

  private HttpServer open() throws IOException {
    HttpServer fresh =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    fresh.createContext("/", this::handle);
    fresh.setExecutor(threads);
    fresh.start();
    return fresh;
  }

  /** The URL, without a trailing slash. */
  public String url() {
    return "http://127.0.0.1:" + port;
  }

  /** Stops to answer; jobs go on. */
  public void away() {
    server.stop(0);
  }

  /** It is back. */
  public void back() throws IOException {
    server = open();
  }

  /** The output of a job's containers. */
  public String log(String name) throws IOException {
    return machines.log(name);
  }

  /** The next submission of a job of this name is on its way until {@link #arrive}. */
  public void stall(String name) {
    slow = name;
  }

  /** Whether it is on its way now. */
  public boolean isStalled() {
    return stalled;
  }

  /** Lets the submission that is on its way come through. */
  public void arrive() {
    way.release();
  }

  private void travel(Call call) {
    String name = slow;
    if (name != null && !call.method().equals("GET") && call.body().contains(name)) {
      slow = null;
      stalled = true;
      way.acquireUninterruptibly();
    }
  }

  /** Answers one call. */
  protected abstract Reply answer(Call call);

  /** The answer to one call too many. */
  protected Reply crowded() {
    return Reply.of(429, Map.of("message", "too many requests")).with("Retry-After", "1");
  }

  /** Whether the job of a name still has processes. */
  public abstract boolean runs(String name);

  /** Kills a job's containers as a machine that dies does, and notices. */
  public abstract void lose(String name);

  /** Stops a job, as another client does. */
  public abstract void stop(String name);

  /** Removes a job and all that is known of it, as another client does. */
  public abstract void delete(String name);

  /** The names of all its jobs. */
  public abstract Set<String> jobs();

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Call call = Call.of(exchange);
      travel(call);
      calls.add(call.method() + " " + call.path());
      callers.add(exchange.getRemoteAddress().getPort());
      Reply reply;
      boolean lost;
      synchronized (this) {
        if (refusing.get() > 0) {
          reply = Reply.of(refusing.get(), Map.of("message", "not any longer"));
          lost = false;
        } else if (crowded.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
          reply = crowded();
          lost = false;
        } else {
          int before = jobs().size();
          reply = answer(call);
          lost = jobs().size() > before && forgetful.getAndSet(false);
        }
      }
      if (lost) {
        return;
      }
      reply.headers().forEach(exchange.getResponseHeaders()::set);
      byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    } catch (RuntimeException e) {
      e.printStackTrace();
      throw e;
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    machines.killAll();
  }

  /**
   * A call.
   *
   * @param path as it was sent, without the query
   * @param query decoded
   * @param headers by their names in lower case
   */
  public record Call(
      String method,
      String path,
      String rawQuery,
      Map<String, String> query,
      Map<String, String> headers,
      String body) {
    static Call of(HttpExchange exchange) throws IOException {
      Map<String, String> headers = new TreeMap<>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> headers.put(name.toLowerCase(), values.getFirst()));
      String raw = exchange.getRequestURI().getRawQuery();
      Map<String, String> query = new TreeMap<>();
      for (String pair : raw == null ? new String[0] : raw.split("&")) {
        String[] parts = pair.split("=", 2);
        query.put(decoded(parts[0]), parts.length == 1 ? "" : decoded(parts[1]));
      }
      return new Call(
          exchange.getRequestMethod(),
          exchange.getRequestURI().getRawPath(),
          raw == null ? "" : raw,
          query,
          headers,
          new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    }

    public static String decoded(String text) {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** Its body; null when that is no JSON object. */
    public @Nullable ObjectNode json() {
      try {
        JsonNode json = Json.parse(body);
        return json instanceof ObjectNode object ? object : null;
      } catch (ProblemException e) {
        return null;
      }
    }

    public String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  /** An answer. */
  public record Reply(int status, Map<String, String> headers, String body) {
    public static Reply of(int status, Object json) {
      return new Reply(status, Map.of("Content-Type", "application/json"), Json.write(json));
    }

    public Reply with(String header, String value) {
      Map<String, String> more = new TreeMap<>(headers);
      more.put(header, value);
      return new Reply(status, more, body);
    }
  }

  /** The first field of an object that is not among those that its model knows; null for none. */
  public static @Nullable String unknown(JsonNode object, String... known) {
    return object.properties().stream()
        .map(Map.Entry::getKey)
        .filter(key -> !List.of(known).contains(key))
        .findFirst()
        .orElse(null);
  }
}
