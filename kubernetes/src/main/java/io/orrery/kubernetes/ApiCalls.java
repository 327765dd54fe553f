package io.orrery.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.netty.channel.ConnectTimeoutException;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Requests to one API server, and their answers. The library logs in. Every call blocks. */
public final class ApiCalls implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A stream of changes has a bookmark each minute, if nothing else. */
  private static final Duration QUIET = Duration.ofSeconds(90);

  /** Requests at once, and so connections. */
  private static final int AT_ONCE = 64;

  private static final int FAILURE = 300;
  private static final String RETRY_AFTER = "Retry-After";

  private final VertxHttp http;
  private final String server;
  private final URI root;
  private final Semaphore room = new Semaphore(AT_ONCE);

  private ApiCalls(VertxHttp http, String server) {
    this.http = http;
    this.server = server;
    this.root = URI.create(server);
  }

  /** As a kubeconfig says; connects to nothing yet. */
  static ApiCalls by(Config given, Vertx vertx) {
    Config config =
        new ConfigBuilder(given)
            // Callers try again, and say meanwhile why they wait.
            .withRequestRetryBackoffLimit(0)
            .withConnectionTimeout(10_000)
            .withRequestTimeout((int) PATIENCE.toMillis())
            .build();
    boolean verifies = !config.isTrustCerts() && !config.isDisableHostnameVerification();
    return new ApiCalls(
        new VertxHttp.Factory(vertx, verifies, QUIET).open(config),
        config.getMasterUrl().replaceFirst("/+$", ""));
  }

  /** The URL of the API server, without a trailing slash. */
  String server() {
    return server;
  }

  /**
   * Sends something, and waits for the answer, whatever it is.
   *
   * @param wanted what for, for people
   * @param type of the body; null when that is empty
   * @throws ProblemException Busy when the server cannot be reached
   */
  public ApiAnswer send(
      String wanted, String method, String path, @Nullable String type, Buffer body) {
    return inRoom(
        wanted, () -> http.send(method, root, root.getRawPath() + path, type, body, PATIENCE));
  }

  /**
   * Opens a WebSocket.
   *
   * @param protocols of which the server chooses one
   * @param begun given the socket on an event loop, before anything comes
   * @throws ProblemException when the server refuses, or Busy when it cannot be reached
   */
  void open(String wanted, String path, List<String> protocols, Consumer<WebSocket> begun) {
    ApiAnswer answer =
        inRoom(wanted, () -> http.open(root, root.getRawPath() + path, protocols, PATIENCE, begun));
    if (answer.code() >= FAILURE) {
      throw answer.failure().exception(wanted);
    }
  }

  private interface Request {
    ApiAnswer send() throws InterruptedException, ExecutionException, TimeoutException;
  }

  private ApiAnswer inRoom(String wanted, Request request) {
    try {
      room.acquire();
      try {
        return request.send();
      } finally {
        room.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw away(wanted, e).toException();
    } catch (ExecutionException | TimeoutException e) {
      throw away(wanted, e).toException();
    }
  }

  private Problem away(String wanted, Exception failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return new Problem.Busy(
        ApiFailure.unnamed("the API server at " + server + " cannot be reached to " + wanted)
            + ": "
            + words(cause),
        failure instanceof InterruptedException ? Duration.ofSeconds(1) : ApiFailure.LATER);
  }

  /** The cause in plain words: the native transport's name the system call and its number. */
  private static String words(Throwable cause) {
    return switch (cause) {
      case ConnectTimeoutException _ -> "it did not answer in time";
      case TimeoutException _ -> "it did not answer in time";
      case NoRouteToHostException _ -> "there is no route to it";
      case ConnectException _ -> "the connection was refused";
      case UnknownHostException _ -> "its name is not known";
      default -> Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
    };
  }

  /**
   * Tells the lines of an answer that does not end, on a thread of the client's. Blocks until it
   * ends after all.
   *
   * @param opened told when the server has begun
   * @throws RefusedException when the server does not, or not any longer, tell; what {@code block}
   *     throws ends the answer as well
   * @throws ProblemException Busy when the server cannot be reached, or not any longer
   */
  void lines(String wanted, String path, Runnable opened, Consumer<JsonScanner> block)
      throws InterruptedException {
    JsonLines lines = new JsonLines(block);
    stream(
        wanted,
        path,
        opened,
        (pieces, body) -> {
          pieces.forEach(lines::take);
          body.consume();
        });
  }

  /**
   * Tells the bytes of an answer, piece by piece, each on a virtual thread, so that the block may
   * block: the next is read when it is done. Blocks until the answer ends.
   *
   * @throws RefusedException when the server refuses; what {@code block} throws ends the answer
   * @throws ProblemException Busy when the server cannot be reached, or not any longer
   */
  public void bytes(String wanted, String path, Consumer<byte[]> block)
      throws InterruptedException {
    Pieces copied = new Pieces(block);
    stream(
        wanted,
        path,
        () -> {},
        (pieces, body) -> {
          List<byte[]> copies = pieces.stream().map(ApiCalls::copy).toList();
          copied.take(copies, body);
        });
    try {
      copied.end().get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException told
          ? told
          : new IllegalStateException(e.getCause());
    }
  }

  /** Pieces that a block takes one after the other, each on a virtual thread. */
  private static final class Pieces {
    private final Consumer<byte[]> block;
    private CompletableFuture<?> last = CompletableFuture.completedFuture(true);

    Pieces(Consumer<byte[]> block) {
      this.block = block;
    }

    synchronized void take(List<byte[]> pieces, AsyncBody body) {
      last =
          last.thenRunAsync(() -> pieces.forEach(block), Thread::startVirtualThread)
              .whenComplete((done, failure) -> {
                if (failure == null) {
                  body.consume();
                } else {
                  body.cancel();
                }
              });
    }

    /** Completes when all are taken. */
    synchronized CompletableFuture<?> end() {
      return last;
    }
  }

  private static byte[] copy(ByteBuffer piece) {
    byte[] bytes = new byte[piece.remaining()];
    piece.get(piece.position(), bytes);
    return bytes;
  }

  private void stream(
      String wanted, String path, Runnable opened, AsyncBody.Consumer<List<ByteBuffer>> consumer)
      throws InterruptedException {
    HttpRequest request = http.newHttpRequestBuilder().uri(server + path).forStreaming().build();
    try {
      HttpResponse<AsyncBody> head = begun(http.consumeBytes(request, consumer));
      AsyncBody body = head.body();
      try {
        if (!head.isSuccessful()) {
          String asked = head.header(RETRY_AFTER);
          throw new RefusedException(new ApiFailure(head.code(), "", "HTTP " + head.code(), asked));
        }
        opened.run();
        body.consume();
        body.done().get();
      } finally {
        body.cancel();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException told && !(told instanceof VertxException)
          ? told
          : away(wanted, e).toException();
    } catch (TimeoutException e) {
      throw away(wanted, e).toException();
    }
  }

  private static HttpResponse<AsyncBody> begun(CompletableFuture<HttpResponse<AsyncBody>> head)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      return head.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } finally {
      // An answer that begins when no caller waits any more is ended at once.
      head.cancel(false);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
