package io.orrery.compute.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.contract.Registries.FoundImage;
import io.orrery.core.http.HostName;
import io.orrery.core.http.PublicAddresses;
import io.orrery.core.image.ImageReference;
import io.orrery.core.image.RegistryServer;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP client of registries: few connections, a time and a size for each answer, no redirects.
 * A password is sent to the registry itself, or to the token service that it names over TLS. No
 * failure has a password or an answer in it.
 */
final class RegistryClient {
  private static final Duration PATIENCE = Duration.ofSeconds(8);
  private static final int CONNECTIONS = 4;
  private static final int MOST_WAITING = 100;
  private static final int MOST_BYTES = 64 << 10;
  private static final int MOST_TOKEN = 16 << 10;
  static final int OK = 200;
  static final int NOT_FOUND = 404;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_ALLOWED = 405;

  /** All kinds, so that the digest is the one of the tag and not of a conversion. */
  private static final String MANIFESTS =
      String.join(
          ", ",
          "application/vnd.oci.image.index.v1+json",
          "application/vnd.docker.distribution.manifest.list.v2+json",
          "application/vnd.oci.image.manifest.v1+json",
          "application/vnd.docker.distribution.manifest.v2+json");

  private final HttpClient client;
  private final WorkerExecutor lookups;
  private final Predicate<InetAddress> allowed;

  /**
   * @param allowed whether an address that is not public may be reached all the same
   */
  RegistryClient(Vertx vertx, Predicate<InetAddress> allowed) {
    this.lookups = vertx.createSharedWorkerExecutor("registry-lookups", CONNECTIONS);
    this.allowed = address -> PublicAddresses.contains(address) || allowed.test(address);
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions().setIdleTimeout((int) PATIENCE.toSeconds() * 2),
            new PoolOptions().setHttp1MaxSize(CONNECTIONS).setMaxWaitQueueSize(MOST_WAITING));
  }

  /** A user with the password itself. */
  record Credentials(String user, String password) {
    /** The same without the password. */
    @Override
    public String toString() {
      return "Credentials[" + user + "]";
    }

    private String basic() {
      return "Basic "
          + Base64.getEncoder()
              .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * An answer of a registry.
   *
   * @param type of its content, in lower case and without parameters
   * @param more whether a further page follows this one
   */
  record Answer(
      int status,
      List<String> challenges,
      @Nullable String digest,
      String type,
      boolean more,
      String body) {}

  /**
   * Logs in.
   *
   * @return a sentence about the success; fails with {@link RegistryException}
   */
  Future<String> login(RegistryServer server, Credentials account) {
    String address = server.api() + "/v2/";
    return send(HttpMethod.GET, address, null)
        .compose(first ->
            first.status() == OK
                ? Future.succeededFuture(
                    "%s asks for no login, so that the password was not tried"
                        .formatted(server.host()))
                : answered(HttpMethod.GET, address, first, server.host(), account, null)
                    .compose(answer ->
                        answer.status() == OK
                            ? Future.succeededFuture(
                                "%s accepts the user %s".formatted(server.host(), account.user()))
                            : Future.failedFuture(refused(server.host(), account, answer))));
  }

  /**
   * Asks for an image.
   *
   * @param account null to ask without one
   * @return fails with {@link RegistryException} when the registry does not tell
   */
  Future<FoundImage> find(ImageReference image, @Nullable Credentials account) {
    return ask(HttpMethod.HEAD, image.manifest(), image, account, "pull")
        .compose(answer -> {
          String digest = answer.digest();
          if (answer.status() == NOT_FOUND) {
            return Future.succeededFuture(
                new FoundImage(null, true, "%s does not have it".formatted(image.host())));
          }
          if (answer.status() != OK) {
            return Future.failedFuture(refused(image.host(), account, answer));
          }
          return digest != null && ImageReference.isDigest(digest)
              ? Future.succeededFuture(new FoundImage(digest, true, null))
              : Future.failedFuture(
                  new RegistryException(
                      "%s has it and tells no digest of it".formatted(image.host())));
        });
  }

  /**
   * Removes an image under all of its tags, by its digest; one that is not there is removed.
   *
   * @param account null to ask without one
   * @return fails with {@link RegistryException} when it stays
   */
  Future<Void> remove(ImageReference image, @Nullable Credentials account) {
    return ask(HttpMethod.DELETE, image.byDigest().manifest(), image, account, "delete")
        .compose(answer -> {
          int status = answer.status();
          if (status == NOT_FOUND || (status >= OK && status < 300)) {
            return Future.succeededFuture();
          }
          boolean refuses = status == NOT_ALLOWED || answer.body().contains("\"UNSUPPORTED\"");
          return Future.failedFuture(
              refuses
                  ? new RegistryException(
                      "%s does not let images be deleted (status %d): its administrator allows that"
                              .formatted(image.host(), status)
                          + " (docker-registry: storage.delete.enabled)")
                  : refused(image.host(), account, answer));
        });
  }

  /**
   * Asks for something of the repository of an image, with the login that the registry wants.
   *
   * @param account null to ask without one
   * @param right that is needed, as token services name it: {@code pull}, {@code delete}
   */
  Future<Answer> ask(
      HttpMethod method,
      String address,
      ImageReference image,
      @Nullable Credentials account,
      String right) {
    String scope = "repository:" + image.repository() + ":" + right;
    return send(method, address, null)
        .compose(first -> answered(method, address, first, image.host(), account, scope));
  }

  /** The answer after the login that a first answer asks for. */
  private Future<Answer> answered(
      HttpMethod method,
      String address,
      Answer first,
      String host,
      @Nullable Credentials account,
      @Nullable String scope) {
    if (first.status() != UNAUTHORIZED) {
      return Future.succeededFuture(first);
    }
    Optional<Challenge> challenge = Challenge.best(first.challenges());
    if (challenge.isEmpty()) {
      return Future.failedFuture(
          new RegistryException(
              "%s asks for a login that is neither Basic nor Bearer".formatted(host)));
    }
    if (challenge.get().scheme().equals("basic")) {
      return account == null
          ? Future.succeededFuture(first)
          : send(method, address, account.basic());
    }
    return token(challenge.get(), host, account, scope)
        .compose(token -> send(method, address, "Bearer " + token));
  }

  private Future<String> token(
      Challenge challenge, String host, @Nullable Credentials account, @Nullable String scope) {
    String realm = challenge.parameters().getOrDefault("realm", "");
    URI address;
    try {
      address = URI.create(realm);
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(unusable(host));
    }
    String there = address.getRawAuthority();
    if (there == null || address.getRawUserInfo() != null || address.getRawFragment() != null) {
      return Future.failedFuture(unusable(host));
    }
    boolean isLocal = HostName.isLoopback(host) && HostName.isLoopback(there);
    if (!"https".equals(address.getScheme()) && !("http".equals(address.getScheme()) && isLocal)) {
      return Future.failedFuture(
          new RegistryException(
              "%s names a token service without TLS, which gets no password".formatted(host)));
    }
    String query =
        Stream.of(
                parameter("service", challenge.parameters().get("service")),
                parameter("scope", scope),
                parameter("account", account == null ? null : account.user()))
            .flatMap(Optional::stream)
            .collect(Collectors.joining("&"));
    String asked = realm + (address.getRawQuery() == null ? "?" : "&") + query;
    return send(HttpMethod.GET, asked, account == null ? null : account.basic())
        .compose(answer -> {
          if (answer.status() != OK) {
            return Future.failedFuture(refused(there, account, answer));
          }
          String token = token(answer.body());
          return token.isEmpty()
              ? Future.failedFuture(
                  new RegistryException("the token service %s answers no token".formatted(there)))
              : Future.succeededFuture(token);
        });
  }

  private static Optional<String> parameter(String name, @Nullable String value) {
    return value == null
        ? Optional.empty()
        : Optional.of(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
  }

  /** The token of an answer; empty when it has none that may be in a header. */
  private static String token(String body) {
    try {
      JsonNode json = Json.parse(body);
      String token = json.path("token").asText(json.path("access_token").asText(""));
      return token.length() <= MOST_TOKEN && token.chars().allMatch(c -> c > ' ' && c <= '~')
          ? token
          : "";
    } catch (ProblemException noJson) {
      return "";
    }
  }

  private static RegistryException unusable(String host) {
    return new RegistryException(
        "%s names a token service whose address cannot be used".formatted(host));
  }

  /** The failure that an answer is which nothing better can be made of. */
  static RegistryException refused(String host, @Nullable Credentials account, Answer answer) {
    int status = answer.status();
    if (status == UNAUTHORIZED || status == FORBIDDEN) {
      return new RegistryException(
          account == null
              ? "%s asks for a login, and the project has no account there".formatted(host)
              : "%s refused the user %s (status %d): check user and password"
                  .formatted(host, account.user(), status));
    }
    if (status >= 300 && status < 400) {
      return new RegistryException(
          "%s redirects elsewhere (status %d), where no password is sent".formatted(host, status));
    }
    return new RegistryException(
        status == NOT_FOUND
            ? "%s has no registry API of version 2".formatted(host)
            : "%s answered with status %d".formatted(host, status));
  }

  private Future<Answer> send(HttpMethod method, String address, @Nullable String authorization) {
    RequestOptions request;
    try {
      request = new RequestOptions().setMethod(method).setAbsoluteURI(address);
    } catch (RuntimeException e) {
      return Future.failedFuture(new RegistryException("its address cannot be used"));
    }
    request
        .setFollowRedirects(false)
        .setConnectTimeout(PATIENCE.toMillis())
        .setTimeout(PATIENCE.toMillis())
        .putHeader(
            HttpHeaders.ACCEPT, address.contains("/manifests/") ? MANIFESTS : "application/json");
    if (authorization != null) {
      request.putHeader(HttpHeaders.AUTHORIZATION, authorization);
    }
    return lookUp(request)
        .compose(client::request)
        .compose(asked -> {
          Future<Answer> answer = asked.response().compose(RegistryClient::read);
          return asked.send().compose(sent -> answer);
        })
        .recover(failure ->
            Future.failedFuture(
                failure instanceof RegistryException
                    ? failure
                    : new RegistryException(
                        "%s:%d does not answer: %s"
                            .formatted(
                                request.getHost(), request.getPort(), failure.getMessage()))));
  }

  /** The request to the address that was checked, and to no other of the name. */
  private Future<RequestOptions> lookUp(RequestOptions request) {
    String host = request.getHost().replaceAll("^\\[|]$", "");
    return lookups
        .executeBlocking(
            () -> {
              for (InetAddress address : InetAddress.getAllByName(host)) {
                if (allowed.test(address)) {
                  return request.setServer(
                      SocketAddress.inetSocketAddress(request.getPort(), address.getHostAddress()));
                }
              }
              throw new RegistryException(
                  request.getHost()
                      + " is in a network that registries are not asked in: an administrator allows"
                      + " networks by registries.networks");
            },
            false)
        .timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Future<Answer> read(HttpClientResponse response) {
    Buffer body = Buffer.buffer();
    response.handler(piece -> {
      if (body.length() + piece.length() > MOST_BYTES) {
        response.request().reset();
      } else {
        body.appendBuffer(piece);
      }
    });
    return response
        .end()
        .map(ended ->
            new Answer(
                response.statusCode(),
                response.headers().getAll("WWW-Authenticate"),
                response.getHeader("Docker-Content-Digest"),
                type(response),
                response.getHeader("Link") != null,
                body.toString()));
  }

  private static String type(HttpClientResponse response) {
    String type = Objects.requireNonNullElse(response.getHeader(HttpHeaders.CONTENT_TYPE), "");
    return type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
  }

  Future<Void> close() {
    return Future.join(client.close(), lookups.close()).mapEmpty();
  }
}
