package io.orrery.compute.batch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP client of one platform: few connections to a host, a time for each answer and a size, no
 * redirects. Who calls it waits, on a thread that may; the event loop behind it never does.
 */
public final class Rest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration LATER = Duration.ofSeconds(5);
  private static final int CONNECTIONS = 8;
  private static final int MOST_WAITING = 1_000;
  private static final int MOST_BYTES = 16 << 20;

  private final Vertx vertx;
  private final Duration patience;
  private final int mostBytes;
  private @Nullable HttpClient client;
  private boolean closed;

  public Rest(Vertx vertx) {
    this(vertx, PATIENCE, MOST_BYTES);
  }

  /**
   * @param patience for a whole answer
   * @param mostBytes of its body
   */
  Rest(Vertx vertx, Duration patience, int mostBytes) {
    this.vertx = vertx;
    this.patience = patience;
    this.mostBytes = mostBytes;
  }

  /**
   * A request.
   *
   * @param url whole, with its query
   */
  public record Request(
      String method, String url, Map<String, String> headers, @Nullable String body) {
    public Request {
      headers = Map.copyOf(headers);
    }

    /** One without a body. */
    public static Request of(String method, String url) {
      return new Request(method, url, Map.of(), null);
    }

    /** The same with a header more. */
    public Request with(String header, String value) {
      Map<String, String> more = new TreeMap<>(headers);
      more.put(header, value);
      return new Request(method, url, more, body);
    }

    /** The same with a body. */
    public Request with(String type, Object json) {
      return new Request(method, url, headers, Json.write(json)).with("Content-Type", type);
    }

    /** Leaves out the headers and the query, which may hold secrets. */
    @Override
    public String toString() {
      return method + " " + URI.create(url).getPath();
    }
  }

  /**
   * An answer.
   *
   * @param headers by their names in lower case
   */
  public record Answer(int status, Map<String, String> headers, String body) {
    public Answer {
      headers = Map.copyOf(headers);
    }

    /**
     * Its body.
     *
     * @throws io.orrery.core.problem.ProblemException Refused when it is no JSON
     */
    public JsonNode json() {
      return Json.parse(body);
    }

    public boolean isGood() {
      return status >= 200 && status < 300;
    }
  }

  /**
   * Sends a request and waits for its answer, whatever its status; not on an event loop.
   *
   * @throws io.orrery.core.problem.ProblemException Busy when there is no whole answer in time
   */
  public Answer send(Request request) {
    try {
      // The request has a limit of its own; this one is for a client that forgot it.
      return exchange(request).await(patience.toMillis() * 2, TimeUnit.MILLISECONDS);
    } catch (ProblemException e) {
      throw e;
    } catch (TimeoutException e) {
      throw unreachable(request, "no answer within " + patience.toSeconds() + " s");
    } catch (Exception e) { // await throws the cause as it is, declared or not
      throw unreachable(request, e.getMessage() == null ? e.toString() : e.getMessage());
    }
  }

  private Future<Answer> exchange(Request request) {
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.valueOf(request.method()))
            .setAbsoluteURI(request.url())
            .setConnectTimeout(patience.toMillis())
            .setTimeout(patience.toMillis())
            .setIdleTimeout(patience.toMillis());
    request.headers().forEach(options::putHeader);
    return client()
        .request(options)
        .compose(asked -> {
          Future<Answer> answer = asked.response().compose(this::received);
          sent(asked, request.body());
          return answer;
        })
        .timeout(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void sent(HttpClientRequest asked, @Nullable String body) {
    // That it failed is told by the response as well.
    Future<Void> end = body == null ? asked.end() : asked.end(Buffer.buffer(body));
    end.onFailure(e -> asked.reset());
  }

  private Future<Answer> received(HttpClientResponse response) {
    Promise<Answer> promise = Promise.promise();
    Buffer body = Buffer.buffer();
    response.exceptionHandler(promise::tryFail);
    response.handler(piece -> {
      if (body.length() + piece.length() > mostBytes) {
        promise.tryFail("the answer has more than " + mostBytes + " bytes");
        response.request().reset();
      } else {
        body.appendBuffer(piece);
      }
    });
    response.endHandler(end -> {
      Map<String, String> headers = new TreeMap<>();
      response
          .headers()
          .forEach(
              header -> headers.put(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
      promise.tryComplete(
          new Answer(response.statusCode(), headers, body.toString(StandardCharsets.UTF_8)));
    });
    return promise.future();
  }

  private static RuntimeException unreachable(Request request, String why) {
    URI url = URI.create(request.url());
    // Some messages repeat the query, and there are services that want a password in it.
    String query = url.getRawQuery();
    String words = query == null ? why : why.replace("?" + query, "");
    return new Problem.Busy(url.getRawAuthority() + " cannot be reached: " + words, LATER)
        .toException();
  }

  private synchronized HttpClient client() {
    if (closed) {
      throw new Problem.Busy("the platform is closing", Duration.ofSeconds(1)).toException();
    }
    HttpClient open = client;
    if (open == null) {
      open =
          vertx.createHttpClient(
              new HttpClientOptions().setKeepAliveTimeout(30),
              new PoolOptions().setHttp1MaxSize(CONNECTIONS).setMaxWaitQueueSize(MOST_WAITING));
      client = open;
    }
    return open;
  }

  /** Closes its connections; nothing is sent any more. */
  synchronized void close() {
    closed = true;
    if (client != null) {
      client.close();
    }
  }
}
