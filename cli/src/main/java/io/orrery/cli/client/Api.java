package io.orrery.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The REST API of one server, one call after the other. Every method throws {@link ProblemResponse}
 * when the server says no, and {@link Unreachable} when there is none.
 */
public final class Api {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final Duration UPLOAD = Duration.ofMinutes(10);
  private static final int PAGE = 1000;
  private static final int NOT_FOUND = 404;

  private final ServerAddress address;
  private final HttpClient http;

  Api(ServerAddress address) {
    this.address = address;
    HttpClient.Builder client =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
    if (!address.secure()) {
      client.sslContext(trustingNone());
    }
    this.http = client.build();
  }

  /**
   * A context without authorities. The client makes one in any case, and reading Java's hundred and
   * fifty certificates for a plain connection would be a fifth of the work of a short command.
   */
  private static SSLContext trustingNone() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[0], null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }

  public ServerAddress address() {
    return address;
  }

  /** Whether a server of ours is there, and whether it serves yet. */
  public Health health() {
    try {
      HttpResponse<String> response =
          http.send(
              request(URI.create(address.url() + "/health/ready")).timeout(CONNECT).GET().build(),
              BodyHandlers.ofString());
      return switch (response.statusCode()) {
        case 200 -> Health.READY;
        case 503 -> response.body().contains("\"failing\"") ? Health.FAILING : Health.STARTING;
        default -> Health.FOREIGN;
      };
    } catch (SSLException e) {
      return Health.UNTRUSTED;
    } catch (IOException e) {
      return Health.ABSENT;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Health.ABSENT;
    }
  }

  /** The states that {@code /health/ready} reports. */
  public enum Health {
    READY,
    /** Or ending: it answers, but not to us. */
    STARTING,
    /** It is up, and cannot store anything. */
    FAILING,
    /** Something else listens there. */
    FOREIGN,
    /** Something listens there whose certificate is not trusted, or that does not speak TLS. */
    UNTRUSTED,
    ABSENT
  }

  public JsonNode get(Resource resource) {
    return json(request(resource).timeout(ANSWER).GET().build());
  }

  /** The content of a resource; empty when it does not exist, or is hidden. */
  public Optional<JsonNode> find(Resource resource) {
    try {
      return Optional.of(get(resource));
    } catch (ProblemResponse e) {
      if (e.status() == NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  public JsonNode post(Resource resource) {
    return json(request(resource).timeout(ANSWER).POST(BodyPublishers.noBody()).build());
  }

  public JsonNode post(Resource resource, String body, String contentType) {
    return send("POST", resource, body, contentType);
  }

  /** Posts what takes long to do, such as a copy of files. */
  public JsonNode postLong(Resource resource, JsonNode body) {
    return json(
        request(resource)
            .timeout(UPLOAD)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.toString()))
            .build());
  }

  /**
   * Opens a session.
   *
   * @return its cookie, as it is sent back
   */
  public String signIn(JsonNode credentials) {
    HttpResponse<String> response =
        exchange(
            HttpRequest.newBuilder(URI.create(address.url() + Resource.of("session").path()))
                .timeout(ANSWER)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(credentials.toString()))
                .build(),
            BodyHandlers.ofString());
    if (response.statusCode() >= 300) {
      throw ProblemResponse.of(response.statusCode(), response.body());
    }
    return response.headers().firstValue("Set-Cookie").orElse("").replaceAll(";.*", "");
  }

  /** Posts as the user of a session, whose cookie is shown in place of a token. */
  public JsonNode post(Resource resource, JsonNode body, String cookie) {
    return json(
        HttpRequest.newBuilder(URI.create(address.url() + resource.path()))
            .timeout(ANSWER)
            .header("Content-Type", "application/json")
            .header("Cookie", cookie)
            .POST(BodyPublishers.ofString(body.toString()))
            .build());
  }

  public JsonNode patch(Resource resource, JsonNode body) {
    return send("PATCH", resource, body.toString(), "application/json");
  }

  public JsonNode put(Resource resource, JsonNode body) {
    return send("PUT", resource, body.toString(), "application/json");
  }

  /** Puts nothing but the name. */
  public JsonNode put(Resource resource) {
    return json(request(resource).timeout(ANSWER).PUT(BodyPublishers.noBody()).build());
  }

  /**
   * Puts the content of a file.
   *
   * @throws IOException when the file cannot be read
   */
  public JsonNode put(Resource resource, Path file, String contentType) throws IOException {
    return json(
        request(resource)
            .timeout(UPLOAD)
            .header("Content-Type", contentType)
            .PUT(BodyPublishers.ofFile(file))
            .build());
  }

  /**
   * Puts the content of a file, without a limit of time.
   *
   * @param counting sees the content pass
   * @throws IOException when the file cannot be read
   */
  public JsonNode upload(
      Resource resource, Path file, long size, UnaryOperator<InputStream> counting)
      throws IOException {
    try (InputStream content = counting.apply(Files.newInputStream(file))) {
      BodyPublisher body =
          size == 0
              ? BodyPublishers.noBody()
              : BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(() -> content), size);
      return json(
          request(resource).header("Content-Type", "application/octet-stream").PUT(body).build());
    }
  }

  public JsonNode delete(Resource resource) {
    return json(request(resource).timeout(ANSWER).DELETE().build());
  }

  /**
   * The items of a list, page after page.
   *
   * @param limit at most so many; null for all
   */
  public List<JsonNode> list(Resource resource, @Nullable Integer limit) {
    List<JsonNode> items = new ArrayList<>();
    if (limit != null && limit <= 0) {
      return items;
    }
    String cursor = null;
    do {
      int wanted = limit == null ? PAGE : Math.min(PAGE, limit - items.size());
      JsonNode page = get(resource.with("limit", wanted).with("cursor", cursor));
      page.path("items").forEach(items::add);
      JsonNode next = page.path("next");
      cursor = next.isTextual() ? next.asText() : null;
    } while (cursor != null && (limit == null || items.size() < limit));
    return items;
  }

  /**
   * Copies a body as it comes, without a limit of time.
   *
   * @throws IOException when {@code out} takes no more
   */
  public void copy(Resource resource, OutputStream out) throws IOException {
    HttpResponse<InputStream> response =
        exchange(request(resource).GET().build(), BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      if (response.statusCode() >= 400) {
        throw ProblemResponse.of(
            response.statusCode(), new String(body.readAllBytes(), StandardCharsets.UTF_8));
      }
      byte[] buffer = new byte[1 << 14];
      int read;
      while ((read = body.read(buffer)) >= 0) {
        out.write(buffer, 0, read);
        out.flush();
      }
    }
  }

  /** The lines of a body as they come, without a limit of time. To be closed. */
  public Stream<String> lines(Resource resource) {
    HttpResponse<Stream<String>> response =
        exchange(request(resource).GET().build(), BodyHandlers.ofLines());
    if (response.statusCode() >= 300) {
      try (Stream<String> body = response.body()) {
        throw ProblemResponse.of(response.statusCode(), body.collect(Collectors.joining("\n")));
      }
    }
    return response.body();
  }

  private JsonNode send(String method, Resource resource, String body, String contentType) {
    BodyPublisher publisher = BodyPublishers.ofString(body);
    return json(
        request(resource)
            .timeout(ANSWER)
            .header("Content-Type", contentType)
            .method(method, publisher)
            .build());
  }

  /** Opens a WebSocket. */
  public WebSocket webSocket(Resource resource, WebSocket.Listener listener) {
    WebSocket.Builder socket = http.newWebSocketBuilder().connectTimeout(CONNECT);
    if (address.token() != null) {
      socket.header("Authorization", "Bearer " + address.token());
    }
    URI uri = URI.create((address.url() + resource.path()).replaceFirst("^http", "ws"));
    try {
      return socket.buildAsync(uri, listener).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof WebSocketHandshakeException refused) {
        throw ProblemResponse.of(refused.getResponse().statusCode(), "");
      }
      throw new Unreachable(address, new IOException(e.getCause()));
    }
  }

  private HttpRequest.Builder request(Resource resource) {
    return request(URI.create(address.url() + resource.path()));
  }

  private HttpRequest.Builder request(URI uri) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    if (address.token() != null) {
      request.header("Authorization", "Bearer " + address.token());
    }
    return request;
  }

  private JsonNode json(HttpRequest request) {
    HttpResponse<String> response = exchange(request, BodyHandlers.ofString());
    if (response.statusCode() >= 300) {
      throw ProblemResponse.of(response.statusCode(), response.body());
    }
    if (response.body().isBlank()) {
      return JsonNodeFactory.instance.objectNode();
    }
    try {
      return Json.parse(response.body());
    } catch (ProblemException e) {
      throw CommandFailure.failed("what answers at " + address.url() + " is not an Orrery server");
    }
  }

  private <T> HttpResponse<T> exchange(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    try {
      return http.send(request, handler);
    } catch (IOException e) {
      throw new Unreachable(address, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.failed("interrupted");
    }
  }
}
