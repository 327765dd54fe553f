package io.orrery.gateway.keeper;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.ParameterRecord;
import io.orrery.core.trial.ParameterSet;
import io.orrery.gateway.channel.TrialTokens;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Download;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.metric.Intake;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The API of keepers, {@code /keeper/…}: serves the keeper program and the code, and accepts
 * reports, output and ends. Bodies are small, and a keeper sends the next one after the response:
 * that is the backpressure.
 */
public final class KeeperApi implements Api {
  /** Where all of it is. */
  public static final String BASE = "/keeper";

  private static final String OUTPUTS = BASE + "/outputs/";
  private static final String PROGRAM = "/keeper/orrery_keeper.pyz";
  private static final int MOST_JSON = 64 * 1024;

  /** The most bytes of the last reports and an end, more than a keeper sends with one. */
  private static final int MOST_LAST = 512 * 1024;

  private static final int MOST_PIECE = 1 << 20;

  private final Bus bus;
  private final Intake intake;
  private final TrialTokens tokens;
  private final RequestBody bodies;
  private final Clock clock;
  private final Duration patience;
  private final HeartbeatPoll beats;
  private final WorkPoll workPoll;
  private @Nullable Buffer program;

  /**
   * @param patience how long a keeper may read nothing of an answer
   */
  public KeeperApi(
      Bus bus,
      MetricSink sink,
      TrialTokens tokens,
      RequestBody bodies,
      Clock clock,
      Duration patience) {
    this.bus = bus;
    this.intake = new Intake(bus, sink, clock);
    this.tokens = tokens;
    this.bodies = bodies;
    this.clock = clock;
    this.patience = patience;
    this.beats = new HeartbeatPoll(bus, clock);
    this.workPoll = new WorkPoll(bus, clock);
  }

  @Override
  public void mount(ApiRouter router) {
    beats.listen();
    workPoll.listen();
    router.post(BASE + "/beat", RouteNeed.ATTEMPT, this::beat);
    router.post(BASE + "/work", RouteNeed.ATTEMPT, this::work);
    router.put(BASE + "/logs/:stream", RouteNeed.ATTEMPT, this::log, "keeper", "offset");
    router.put(OUTPUTS + "*", RouteNeed.ATTEMPT, this::output, "keeper", "offset", "size");
    router.stream(BASE + "/program", RouteNeed.ATTEMPT, this::program);
    router.stream(BASE + "/code/:digest", RouteNeed.ATTEMPT, this::code, "offset");
    router.stream(BASE + "/parameters", RouteNeed.ATTEMPT, this::parameters, "index");
    router.post(BASE + "/start", RouteNeed.ATTEMPT, this::start);
    router.post(BASE + "/end", RouteNeed.ATTEMPT, this::end);
    router.post(BASE + "/finish", RouteNeed.ATTEMPT, this::finish);
  }

  @Override
  public void close() {
    beats.close();
    workPoll.close();
  }

  private void program(RoutingContext context) {
    attempt(context);
    if (program == null) {
      try (InputStream file =
          Objects.requireNonNull(KeeperApi.class.getResourceAsStream(PROGRAM), PROGRAM)) {
        program = Buffer.buffer(file.readAllBytes());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    context.response().putHeader(HttpHeaders.CONTENT_TYPE, "application/octet-stream").end(program);
  }

  /** The set that the attempt begins with, or a further one that it asks for. */
  private void parameters(RoutingContext context) {
    AttemptRef attempt = attempt(context);
    int index = (int) Query.of(context).integer("index", 0, 0, Integer.MAX_VALUE);
    Future<String> record =
        index == 0
            ? bus.request(TrialKeepers.PARAMETERS, new TrialKeepers.GetParameters(attempt))
                .map(TrialKeepers.ParameterFile::json)
            : bus.request(Trials.NEXT, new Trials.NextOf(attempt, index))
                .map(next -> record(next.set(), index));
    record
        .onSuccess(json ->
            context.response().putHeader(HttpHeaders.CONTENT_TYPE, "application/json").end(json))
        .onFailure(context::fail);
  }

  private static String record(@Nullable ParameterSet set, int index) {
    return Json.write(set == null ? ParameterRecord.ofNone(index) : ParameterRecord.of(set));
  }

  private void code(RoutingContext context) {
    AttemptRef attempt = attempt(context);
    String digest = context.pathParam("digest");
    long offset = Query.of(context).integer("offset", 0, 0, Long.MAX_VALUE);
    new Download(clock, patience)
        .send(
            context,
            "application/gzip",
            offset,
            (from, limit) ->
                bus.request(
                    TrialKeepers.CODE,
                    new TrialKeepers.ReadCode(attempt.trial().experiment(), digest, from, limit)));
  }

  private Future<Reply> start(RoutingContext context) {
    AttemptRef attempt = attempt(context);
    return bodies
        .text(context, MOST_JSON)
        .map(Json::parse)
        .compose(body ->
            bus.request(
                    TrialKeepers.START,
                    new TrialKeepers.Start(
                        attempt,
                        text(body, "keeper"),
                        text(body, "instance"),
                        body.path("primary").asBoolean(),
                        body.path("version").asText()))
                .compose(done -> started(attempt, body.path("parameters").asBoolean())))
        .map(Reply::ok);
  }

  /** The answer to a start; with the set that the attempt begins with, where that is wanted. */
  private Future<ObjectNode> started(AttemptRef attempt, boolean withParameters) {
    ObjectNode answer = Json.MAPPER.createObjectNode();
    if (!withParameters) {
      return Future.succeededFuture(answer);
    }
    return bus.request(TrialKeepers.PARAMETERS, new TrialKeepers.GetParameters(attempt))
        .map(file -> answer.put("parameters", file.json()))
        // It has started: a keeper that got no record asks for it until it has one.
        .otherwise(answer);
  }

  private Future<Reply> beat(RoutingContext context) {
    AttemptRef attempt = attempt(context);
    return bodies
        .text(context, MOST_JSON)
        .map(Json::parse)
        .compose(body ->
            beats.hold(
                new TrialKeepers.Beat(attempt, text(body, "keeper"), text(body, "instance")),
                context.response()))
        .map(orders -> {
          ObjectNode answer = Json.MAPPER.createObjectNode().put("cancel", orders.cancel());
          orders.servers().forEach(answer.putArray("servers")::add);
          return Reply.ok(answer);
        });
  }

  private Future<Reply> work(RoutingContext context) {
    AttemptRef environment = attempt(context);
    return bodies
        .text(context, MOST_JSON)
        .map(Json::parse)
        .compose(body -> {
          Map<String, Integer> ended = new HashMap<>();
          body.path("ended").properties().forEach(e -> ended.put(e.getKey(), e.getValue().asInt()));
          return workPoll.hold(
              new TrialKeepers.AskWork(
                  environment,
                  text(body, "keeper"),
                  text(body, "instance"),
                  body.path("number").asLong(),
                  body.path("running").valueStream().map(JsonNode::asText).toList(),
                  ended),
              context.response());
        })
        .map(work -> Reply.ok(Json.MAPPER.createObjectNode().set("start", orders(work))));
  }

  private static ArrayNode orders(TrialKeepers.Work work) {
    ArrayNode orders = Json.MAPPER.createArrayNode();
    for (TrialKeepers.Order order : work.start()) {
      ObjectNode one = orders.addObject().put("key", order.key()).put("token", order.token());
      order.variables().forEach(one.putObject("variables")::put);
    }
    return orders;
  }

  private Future<Reply> log(RoutingContext context) {
    AttemptRef attempt = attempt(context);
    Query query = Query.of(context);
    String keeper = keeper(query);
    long offset = query.integer("offset", 0, 0, Long.MAX_VALUE >> 1);
    Stream stream = stream(context.pathParam("stream"));
    return bodies
        .bytes(context.request(), MOST_PIECE)
        .compose(piece ->
            bus.request(
                TrialKeepers.LOG,
                new TrialKeepers.AppendLog(attempt, keeper, stream, offset, piece.getBytes())))
        .map(KeeperApi::next);
  }

  private Future<Reply> output(RoutingContext context) {
    AttemptRef attempt = attempt(context);
    Query query = Query.of(context);
    String keeper = keeper(query);
    long offset = query.integer("offset", 0, 0, Long.MAX_VALUE >> 1);
    long size = query.integer("size", 0, 0, Long.MAX_VALUE >> 1);
    String path = path(context);
    return bodies
        .bytes(context.request(), MOST_PIECE)
        .compose(piece ->
            bus.request(
                TrialKeepers.OUTPUT,
                new TrialKeepers.AppendOutput(
                    attempt, keeper, path, offset, size, piece.getBytes())))
        .map(KeeperApi::next);
  }

  private Future<Reply> end(RoutingContext context) {
    AttemptRef attempt = attempt(context);
    return bodies
        .text(context, MOST_JSON)
        .map(Json::parse)
        .compose(body -> bus.request(TrialKeepers.END, end(attempt, body)))
        .map(done -> Reply.ok(Json.MAPPER.createObjectNode()));
  }

  /**
   * Takes the last reports of a command and its end in one call. The reports are durable before the
   * end is told: an attempt that is over has its result.
   */
  private Future<Reply> finish(RoutingContext context) {
    AttemptRef attempt = attempt(context);
    return bodies
        .text(context, MOST_LAST)
        .map(Json::parse)
        .compose(body -> {
          TrialKeepers.End end = end(attempt, body);
          if (!body.path("reports").isTextual()) {
            throw refused(
                "/reports", "'reports' is a text of lines, as POST /api/v1/metrics takes");
          }
          byte[] reports = body.path("reports").textValue().getBytes(StandardCharsets.UTF_8);
          return intake
              .append(reports, attempt)
              .compose(durable -> bus.request(TrialKeepers.END, end));
        })
        .map(done -> Reply.ok(Json.MAPPER.createObjectNode()));
  }

  private static TrialKeepers.End end(AttemptRef attempt, JsonNode body) {
    JsonNode code = body.path("exitCode");
    if (!code.isInt() || code.intValue() < 0 || code.intValue() > 255) {
      throw refused("/exitCode", "'exitCode' is a whole number from 0 to 255");
    }
    String reason = body.path("reason").isTextual() ? body.path("reason").textValue() : null;
    return new TrialKeepers.End(
        attempt,
        text(body, "keeper"),
        text(body, "instance"),
        code.intValue(),
        reason == null || reason.length() <= TrialKeepers.LONGEST_TEXT
            ? reason
            : reason.substring(0, TrialKeepers.LONGEST_TEXT));
  }

  private AttemptRef attempt(RoutingContext context) {
    return tokens
        .shown(context.request().headers())
        .orElseThrow(() ->
            new Problem.Unauthorized(
                    "A keeper shows the token of its attempt: 'Authorization: Bearer …'.")
                .toException());
  }

  private static Reply next(TrialKeepers.Appended appended) {
    return Reply.ok(Json.MAPPER.createObjectNode().put("next", appended.next()));
  }

  private static String keeper(Query query) {
    String keeper = query.text("keeper");
    if (keeper == null) {
      throw refused("", "the query parameter 'keeper' is missing");
    }
    return keeper;
  }

  private static Stream stream(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "stdout" -> Stream.STDOUT;
      case "stderr" -> Stream.STDERR;
      case "trial" -> Stream.TRIAL;
      default ->
          throw new Problem.NotFound("A trial has the streams stdout, stderr and trial.")
              .toException();
    };
  }

  /** What stands behind the address of outputs, decoded as a whole: a name may hold anything. */
  private static String path(RoutingContext context) {
    String path = context.request().path();
    if (!path.startsWith(OUTPUTS) || path.length() == OUTPUTS.length()) {
      throw new Problem.NotFound("An output has its path behind " + OUTPUTS).toException();
    }
    String raw = path.substring(OUTPUTS.length());
    return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static String text(JsonNode body, String name) {
    JsonNode value = body.path(name);
    if (!value.isTextual() || value.textValue().isEmpty() || value.textValue().length() > 100) {
      throw refused("/" + name, "'" + name + "' is a text of 1 to 100 characters");
    }
    return value.textValue();
  }

  private static RuntimeException refused(String pointer, String message) {
    return new Problem.Refused(new Finding(pointer, message)).toException();
  }
}
