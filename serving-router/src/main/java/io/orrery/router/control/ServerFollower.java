package io.orrery.router.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.route.RouteLayer;
import io.orrery.core.time.SystemClock;
import io.orrery.core.tls.CertificateWatch;
import io.orrery.core.tls.TlsMaterial;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verticle that keeps a router alone at the table of a server. It asks for {@code
 * /api/v1/routes} at start and half a second after each answer, with the tag of the table that it
 * has, and puts the services of all layers in force as the layer {@link RouteLayer#STUDIO}. While
 * the server does not answer, the pause doubles up to fifteen seconds, and the router routes by
 * what it has.
 */
public final class ServerFollower extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(ServerFollower.class);
  private static final RouteLayer LAYER = RouteLayer.STUDIO;
  private static final Duration PACE = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofSeconds(15);
  private static final long ANSWER_SECONDS = 10;
  private static final int MOST_BYTES = 64 << 20;

  private final URI server;
  private final @Nullable String token;
  private final TableInbox inbox;
  private final @Nullable TlsMaterial certificates;
  private @Nullable CertificateWatch watch;
  private @Nullable HttpClientAgent client;
  private String tag = "";
  private Duration pause = PACE;
  private boolean failed;
  private boolean closed;

  /**
   * @param server the URL of the server, with the path below which it is, if any
   * @param token null where the server asks for none
   * @param certificates what it is shown, and what its own is checked against; null for no
   *     certificate, and those that Java trusts
   */
  public ServerFollower(
      URI server, @Nullable String token, @Nullable TlsMaterial certificates, TableInbox inbox) {
    this.server = server;
    this.token = token;
    this.certificates = certificates;
    this.inbox = inbox;
  }

  @Override
  public Future<?> start() {
    if (certificates != null) {
      watch = CertificateWatch.start(vertx, new SystemClock(vertx), certificates, this::connect);
    }
    connect();
    ask();
    return Future.succeededFuture();
  }

  /** Asks over new connections from now on: those that are open have shown the old certificate. */
  private void connect() {
    HttpClientAgent before = client;
    HttpClientOptions options =
        new HttpClientOptions()
            .setSsl("https".equals(server.getScheme()))
            .setDecompressionSupported(true)
            .setConnectTimeout((int) TimeUnit.SECONDS.toMillis(ANSWER_SECONDS));
    if (certificates != null && certificates.hasCertificate()) {
      options.setKeyCertOptions(certificates.keyCertOptions());
    }
    if (certificates != null && certificates.hasAuthority()) {
      options.setTrustOptions(certificates.trustOptions());
    }
    client = vertx.createHttpClient(options);
    if (before != null) {
      before
          .shutdown(ANSWER_SECONDS, TimeUnit.SECONDS)
          .onFailure(failure ->
              LOG.warn("could not close a connection to {}: {}", server, failure.getMessage()));
    }
  }

  private void ask() {
    HttpClientAgent asking = Objects.requireNonNull(client);
    RequestOptions request =
        new RequestOptions()
            .setMethod(HttpMethod.GET)
            .setAbsoluteURI(server.toString().replaceFirst("/+$", "") + "/api/v1/routes")
            .putHeader(HttpHeaders.ACCEPT, "application/json");
    if (!tag.isEmpty()) {
      request.putHeader(HttpHeaders.IF_NONE_MATCH, tag);
    }
    if (token != null) {
      request.putHeader(HttpHeaders.AUTHORIZATION, "Bearer " + token);
    }
    asking
        .request(request)
        .compose(sent -> sent.send())
        .compose(this::take)
        .timeout(ANSWER_SECONDS, TimeUnit.SECONDS)
        .onSuccess(done -> heard())
        .onFailure(this::unheard)
        .onComplete(done -> {
          if (!closed) {
            vertx.setTimer(pause.toMillis(), again -> ask());
          }
        });
  }

  private Future<Void> take(HttpClientResponse answer) {
    if (answer.statusCode() == 304) {
      return answer.end();
    }
    String fresh = answer.getHeader(HttpHeaders.ETAG);
    return body(answer)
        .compose(body -> {
          if (answer.statusCode() != 200 || fresh == null) {
            return Future.failedFuture(
                new Problem.Broken("it answered " + answer.statusCode()).toException());
          }
          return vertx
              .<Void>executeBlocking(() -> {
                inbox.follow(LAYER, revision(fresh), services(body));
                return null;
              })
              .onSuccess(inForce -> tag = fresh);
        });
  }

  private static Future<Buffer> body(HttpClientResponse answer) {
    Buffer whole = Buffer.buffer();
    answer.handler(piece -> {
      if (whole.length() + piece.length() > MOST_BYTES) {
        answer.request().reset();
      } else {
        whole.appendBuffer(piece);
      }
    });
    return answer.end().map(end -> whole);
  }

  /** A number for a tag, which is one of sixteen hexadecimal digits; never that of no layer. */
  private static long revision(String tag) {
    return Long.parseUnsignedLong(tag.replace("\"", ""), 16) | 1;
  }

  /** The services as they were written, without what the server tells of them. */
  private static String services(Buffer body) {
    JsonNode table = Json.parse(body.toString(StandardCharsets.UTF_8));
    ObjectNode own = JsonNodeFactory.instance.objectNode();
    ArrayNode services = own.putArray("services");
    for (JsonNode service : table.path("services")) {
      if (service instanceof ObjectNode object) {
        services.add(object.without(List.of("layer", "state")));
      }
    }
    return own.toString();
  }

  private void heard() {
    pause = PACE;
    if (failed) {
      failed = false;
      LOG.info("the table of {} is followed again", server);
    }
  }

  private void unheard(Throwable failure) {
    Duration doubled = pause.multipliedBy(2);
    pause = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
    if (!failed) {
      failed = true;
      LOG.warn(
          "could not follow the table of {}, routing by the last one: {}",
          server,
          Problem.of(failure).detail());
    }
  }

  @Override
  public Future<?> stop() {
    closed = true;
    if (watch != null) {
      watch.close();
    }
    return client == null ? Future.succeededFuture() : client.close();
  }
}
