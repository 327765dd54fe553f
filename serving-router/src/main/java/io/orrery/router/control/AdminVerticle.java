package io.orrery.router.control;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.http.HeadFault;
import io.orrery.core.http.HostName;
import io.orrery.core.http.StrictRequests;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.text.Utf8;
import io.orrery.router.health.LiveTable;
import io.orrery.router.route.RouterFile.Address;
import io.orrery.router.route.RouterFile.Admin;
import io.orrery.router.telemetry.Exposition;
import io.orrery.router.telemetry.Meters;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The operators' port of a router that runs alone. At an address that others can reach it tells
 * numbers and health, and routes can be neither seen nor changed there. With a token in the file
 * only its holder is told more than health.
 */
public final class AdminVerticle extends VerticleBase {
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1", "[::1]");
  private static final Set<String> HEALTH = Set.of("/health/live", "/health/ready");
  private static final int MOST_BYTES = 64 << 20;

  private final Address address;
  private final byte @Nullable [] token;
  private final boolean reusePort;
  private final TableInbox inbox;
  private final Meters meters;
  private final BooleanSupplier ready;
  private @Nullable HttpServer server;

  /**
   * @param reusePort whether a successor may listen there as well
   * @param ready whether requests are taken, for {@code /health/ready}
   */
  public AdminVerticle(
      Admin admin, boolean reusePort, TableInbox inbox, Meters meters, BooleanSupplier ready) {
    this.address = admin.address();
    String sha256 = admin.sha256();
    this.token = sha256 == null ? null : HexFormat.of().parseHex(sha256);
    this.reusePort = reusePort;
    this.inbox = inbox;
    this.meters = meters;
    this.ready = ready;
  }

  @Override
  public Future<?> start() {
    HttpServer listening =
        vertx
            .createHttpServer(
                new HttpServerOptions().setHttp2ClearTextEnabled(false).setReusePort(reusePort))
            .connectionHandler(StrictRequests::watch)
            .invalidRequestHandler(AdminVerticle::unreadable)
            .requestHandler(this::accept);
    server = listening;
    return listening.listen(address.port(), address.host());
  }

  /** The port that is bound; IllegalStateException before the deployment has succeeded. */
  public int actualPort() {
    if (server == null) {
      throw new IllegalStateException("the admin port does not listen yet");
    }
    return server.actualPort();
  }

  private void accept(HttpServerRequest request) {
    if (!HEALTH.contains(String.valueOf(request.path())) && !isKnown(request)) {
      request.response().putHeader("WWW-Authenticate", "Bearer");
      problem(
          request,
          new Problem.Unauthorized("This port asks for its token: 'Authorization: Bearer …'."));
      return;
    }
    boolean reads = request.method().equals(HttpMethod.GET);
    switch (request.path()) {
      case "/metrics" -> {
        Exposition out = new Exposition();
        meters.expose(out);
        TableShape.expose(inbox.current(), out);
        answer(request, 200, Exposition.CONTENT_TYPE, out.toString());
      }
      case "/health/live" -> answer(request, 200, "application/json", "{\"status\":\"up\"}");
      case "/health/ready" -> {
        boolean up = ready.getAsBoolean();
        answer(
            request,
            up ? 200 : 503,
            "application/json",
            up ? "{\"status\":\"ready\"}" : "{\"status\":\"leaving\"}");
      }
      case "/api/v1/routes" -> {
        if (!LOOPBACK.contains(address.host()) || foreign(request)) {
          problem(
              request,
              new Problem.Forbidden("Routes are seen and changed from the router's own machine."));
        } else if (reads) {
          answerTable(request, vertx.executeBlocking(this::table));
        } else if (request.method().equals(HttpMethod.PUT)) {
          replace(request);
        } else {
          request.response().putHeader(HttpHeaders.ALLOW, "GET, PUT").setStatusCode(405).end();
        }
      }
      case null, default -> problem(request, new Problem.NotFound("Nothing is at this address."));
    }
  }

  private boolean isKnown(HttpServerRequest request) {
    if (token == null) {
      return true;
    }
    String shown = BearerToken.shown(request.getHeader(HttpHeaders.AUTHORIZATION));
    return shown != null && MessageDigest.isEqual(token, new BearerToken(shown).digest());
  }

  private static void unreadable(HttpServerRequest request) {
    HeadFault fault =
        HeadFault.of(
            request.decoderResult().cause(),
            HttpServerOptions.DEFAULT_MAX_INITIAL_LINE_LENGTH,
            HttpServerOptions.DEFAULT_MAX_HEADER_SIZE);
    request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    answer(request, fault.status(), "text/plain; charset=utf-8", fault.detail() + "\n");
  }

  /** A foreign page that a browser of this machine shows must not reach us. */
  private static boolean foreign(HttpServerRequest request) {
    HostAndPort host = request.authority();
    return host == null
        || !LOOPBACK.contains(HostName.withoutRoot(host.host().toLowerCase(Locale.ROOT)))
        || request.getHeader(HttpHeaders.ORIGIN) != null;
  }

  private void replace(HttpServerRequest request) {
    Buffer whole = Buffer.buffer();
    request.handler(piece -> {
      if (whole.length() + piece.length() > MOST_BYTES) {
        request.handler(rest -> {});
        problem(request, new Problem.TooLarge("A table may have " + (MOST_BYTES >> 20) + " MB."));
      } else {
        whole.appendBuffer(piece);
      }
    });
    request.endHandler(end -> {
      if (!request.response().ended()) {
        answerTable(
            request,
            vertx.executeBlocking(() -> {
              inbox.replace(Utf8.decode(whole.getBytes()), null);
              return table();
            }));
      }
    });
  }

  private static void answerTable(HttpServerRequest request, Future<Buffer> table) {
    table
        .onSuccess(json -> answer(request, 200, "application/json", json))
        .onFailure(failure -> problem(request, Problem.of(failure)));
  }

  private Buffer table() {
    LiveTable table = inbox.current();
    Buffer json = Buffer.buffer("{\"services\":[");
    int empty = json.length();
    inbox.services(
        table,
        service -> {
          if (json.length() > empty) {
            json.appendByte((byte) ',');
          }
          json.appendString(service.toString());
        });
    ArrayNode departed = JsonNodeFactory.instance.arrayNode();
    TableShape.departed(table).forEach(departed::add);
    return json.appendString("],\"departed\":").appendString(departed.toString()).appendString("}");
  }

  private static void answer(HttpServerRequest request, int status, String type, String text) {
    answer(request, status, type, Buffer.buffer(text));
  }

  private static void answer(HttpServerRequest request, int status, String type, Buffer text) {
    request.response().setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, type).end(text);
  }

  private static void problem(HttpServerRequest request, Problem problem) {
    int status =
        switch (problem) {
          case Problem.Refused _ -> 400;
          case Problem.Unauthorized _ -> 401;
          case Problem.Forbidden _ -> 403;
          case Problem.NotFound _ -> 404;
          case Problem.Conflict _ -> 409;
          case Problem.TooLarge _ -> 413;
          case Problem.Busy _ -> 429;
          case Problem.Unavailable _ -> 503;
          case Problem.Broken _ -> 500;
        };
    ObjectNode body =
        JsonNodeFactory.instance
            .objectNode()
            .put("type", "about:blank")
            .put("title", status < 500 ? "The request was refused" : "The router failed")
            .put("status", status)
            .put("detail", problem.detail());
    List<Finding> findings =
        problem instanceof Problem.Refused refused ? refused.findings() : List.of();
    if (!findings.isEmpty()) {
      ArrayNode errors = body.putArray("errors");
      findings.forEach(finding -> {
        ObjectNode error =
            errors.addObject().put("pointer", finding.pointer()).put("message", finding.message());
        if (finding.line() != null) {
          error.put("line", finding.line());
        }
      });
    }
    answer(request, status, "application/problem+json", body.toString());
  }
}
