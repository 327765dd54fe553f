package io.orrery.kubernetes;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClientResponse;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * An answer as the library reads it.
 *
 * @param <T> its body, or what gives that
 */
public final class ApiServerResponse<T> extends StandardHttpHeaders implements HttpResponse<T> {
  private final StandardHttpRequest request;
  private final int code;
  private final String message;
  private final T body;

  private ApiServerResponse(
      StandardHttpRequest request,
      int code,
      String message,
      Map<String, List<String>> headers,
      T body) {
    super(headers);
    this.request = request;
    this.code = code;
    this.message = message;
    this.body = body;
  }

  /** One that is there as a whole, and of which the library wants to know no more than its code. */
  static ApiServerResponse<ApiAnswer> of(StandardHttpRequest request, ApiAnswer answer) {
    return new ApiServerResponse<>(request, answer.code(), "", Map.of(), answer);
  }

  /**
   * One that has begun, and whose body comes piece by piece as it is asked for. On the event loop,
   * before the first piece is there.
   */
  static ApiServerResponse<AsyncBody> of(
      StandardHttpRequest request,
      HttpClientResponse response,
      AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    return new ApiServerResponse<>(
        request,
        response.statusCode(),
        response.statusMessage(),
        headers(response.headers()),
        new Body(response, consumer));
  }

  private static Map<String, List<String>> headers(MultiMap given) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    given.names().forEach(name -> headers.put(name, given.getAll(name)));
    return headers;
  }

  @Override
  public int code() {
    return code;
  }

  @Override
  public String message() {
    return message;
  }

  @Override
  public T body() {
    return body;
  }

  @Override
  public HttpRequest request() {
    return request;
  }

  @Override
  public Optional<HttpResponse<?>> previousResponse() {
    return Optional.empty();
  }

  /** The body of an answer, piece by piece as it is asked for. */
  private static final class Body implements AsyncBody {
    private final HttpClientResponse response;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    Body(HttpClientResponse response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
      this.response = response;
      response.pause();
      response.handler(piece -> {
        try {
          consumer.consume(List.of(ApiAnswer.bytes(piece)), this);
        } catch (Exception e) {
          done.completeExceptionally(e);
          response.request().reset();
        }
      });
      response.exceptionHandler(done::completeExceptionally);
      response.endHandler(end -> done.complete(null));
    }

    @Override
    public void consume() {
      if (!done.isDone()) {
        response.fetch(1);
      }
    }

    @Override
    public CompletableFuture<Void> done() {
      return done;
    }

    @Override
    public void cancel() {
      if (done.cancel(false)) {
        response.request().reset();
      }
    }
  }
}
