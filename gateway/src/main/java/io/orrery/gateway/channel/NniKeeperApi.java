package io.orrery.gateway.channel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.orrery.gateway.discovery.ExperimentPorts;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The keeper of NNI itself, as existing images have it ({@code nni/tools/trial_tool}), at the port
 * that its experiment was created with. It knows no credentials, but puts what it is given as the
 * manager's address into its URLs: {@code trial:<token>@host} there makes it show the token, which
 * a server that asks for tokens wants to see.
 *
 * <p>It numbers nothing, and says nothing twice.
 */
public final class NniKeeperApi implements Api {
  private static final String BASE = ApiRouter.V1 + "/nni-pai";
  private static final int MOST_BYTES = 4 << 20;
  private static final int MOST_FILES = 10_000;
  private static final int MOST_FILE_BYTES = 1 << 20;

  private final Bus bus;
  private final MetricSink sink;
  private final TrialTokens tokens;
  private final RequestBody bodies;
  private final Clock clock;
  private final ExperimentPorts ports;
  private final String source;
  private final PresentExperiments experiments;
  private final Map<ExperimentId, KnownFiles> files = new HashMap<>();
  private long points;

  /**
   * @param name unlike that of any other start of the server: part of the source of points
   */
  public NniKeeperApi(
      Bus bus,
      MetricSink sink,
      TrialTokens tokens,
      RequestBody bodies,
      Clock clock,
      ExperimentPorts ports,
      String name) {
    this.bus = bus;
    this.sink = sink;
    this.tokens = tokens;
    this.bodies = bodies;
    this.clock = clock;
    this.ports = ports;
    this.source = "nni-keeper-" + name;
    this.experiments = new PresentExperiments(bus);
  }

  @Override
  public void mount(ApiRouter router) {
    router.post(BASE + "/version/:experiment/:trial", RouteNeed.ATTEMPT, this::version);
    router.post(BASE + "/update-metrics/:experiment/:trial", RouteNeed.ATTEMPT, this::metrics);
    router.post(BASE + "/stdout/:experiment/:trial", RouteNeed.ATTEMPT, this::line);
    router.post(BASE + "/parameter-file-meta", RouteNeed.ATTEMPT, this::rememberFiles);
    router.get(BASE + "/parameter-file-meta", RouteNeed.ATTEMPT, this::files);
  }

  @Override
  public void close() {
    experiments.close();
  }

  /** The keeper has compared versions by itself; its verdict counts where it read them right. */
  private Future<Reply> version(RoutingContext context) {
    return body(context)
        .compose(said -> {
          String message = said.body().path("msg").asText();
          List<NniVersion> named = NniVersion.in(message);
          boolean mismatch =
              said.body().path("tag").asText().equals("VCFail")
                  && !(named.size() == 2 && named.getFirst().accepts(named.getLast()));
          return mismatch
              ? bus.request(
                  TrialKeepers.NOTE,
                  new TrialKeepers.Note(said.attempt(), "version check: " + cut(message)))
              : Future.succeededFuture(new TrialKeepers.Done());
        })
        .map(done -> Reply.empty(200));
  }

  private static String cut(String message) {
    return message.length() <= TrialKeepers.LONGEST_TEXT
        ? message
        : message.substring(0, TrialKeepers.LONGEST_TEXT) + "…";
  }

  private Future<Reply> metrics(RoutingContext context) {
    return body(context)
        .compose(said -> {
          List<MetricPoint> reported = new ArrayList<>();
          for (JsonNode payload : said.body().path("metrics")) {
            point(said.attempt(), payload.asText()).ifPresent(reported::add);
          }
          return append(said.attempt(), reported);
        })
        .map(done -> Reply.empty(200));
  }

  private Future<Reply> line(RoutingContext context) {
    return body(context)
        .compose(said -> {
          JsonNode body = said.body();
          String text = body.path("msg").asText();
          String payload = ChannelCommand.printed(text);
          if (body.path("tag").asText().equals("trial") && payload != null) {
            Optional<MetricPoint> point = metricIn(said.attempt(), payload);
            if (point.isPresent()) {
              return append(said.attempt(), List.of(point.get()));
            }
          }
          Stream stream =
              body.path("stdOutputType").asText().equals("Stderr") ? Stream.STDERR : Stream.STDOUT;
          return bus.request(
                  TrialKeepers.LINE, new TrialKeepers.AppendLine(said.attempt(), stream, text))
              .<Void>mapEmpty();
        })
        .map(done -> Reply.empty(200));
  }

  private Future<Void> append(AttemptRef attempt, List<MetricPoint> reported) {
    return reported.isEmpty()
        ? Future.succeededFuture()
        : experiments
            .check(attempt.trial().experiment())
            .compose(there -> sink.append(reported))
            .mapEmpty();
  }

  /** A line that looks like a report and is none is ordinary output. */
  private Optional<MetricPoint> metricIn(AttemptRef attempt, String payload) {
    try {
      return point(attempt, payload);
    } catch (ProblemException notAMetric) {
      return Optional.empty();
    }
  }

  private Optional<MetricPoint> point(AttemptRef attempt, String payload) {
    return switch (ChannelCommand.metric(Json.parse(payload))) {
      case ChannelCommand.RequestParameter ignored -> Optional.empty();
      case ChannelCommand.Metric metric ->
          Optional.of(
              new MetricPoint(
                  attempt,
                  source,
                  points++,
                  metric.kind(),
                  metric.sequence(),
                  metric.parameterId(),
                  clock.millis(),
                  metric.value()));
    };
  }

  private Future<Reply> rememberFiles(RoutingContext context) {
    ExperimentId experiment = ownOfPort(context);
    return bodies
        .text(context, MOST_FILE_BYTES)
        .map(text -> {
          files.computeIfAbsent(experiment, first -> new KnownFiles()).add(Json.parse(text));
          return Reply.empty(200);
        });
  }

  private Future<Reply> files(RoutingContext context) {
    ArrayNode list = Json.MAPPER.createArrayNode();
    KnownFiles known = files.get(ownOfPort(context));
    if (known != null) {
      known.all.forEach(list::add);
    }
    return Future.succeededFuture(Reply.ok(list));
  }

  /** The files of an experiment that its keepers may fetch. */
  private static final class KnownFiles {
    final List<JsonNode> all = new ArrayList<>();
    private int characters;

    void add(JsonNode said) {
      for (JsonNode file : said) {
        int length = file.toString().length();
        if (file.isObject() && all.size() < MOST_FILES && characters + length <= MOST_FILE_BYTES) {
          all.add(file);
          characters += length;
        }
      }
    }
  }

  private record Said(AttemptRef attempt, JsonNode body) {}

  private Future<Said> body(RoutingContext context) {
    TrialRef trial = PathIds.trial(context);
    if (!trial.experiment().equals(ofPort(context))) {
      throw elsewhere();
    }
    Future<String> text = bodies.text(context, MOST_BYTES);
    return attempt(context, trial)
        .compose(attempt -> text.map(said -> new Said(attempt, Json.parse(said))));
  }

  /** Of the token that is shown; without one the trial's present attempt. */
  private Future<AttemptRef> attempt(RoutingContext context, TrialRef trial) {
    Optional<AttemptRef> shown = tokens.shown(context.request().headers());
    if (shown.isPresent()) {
      if (!shown.get().trial().equals(trial)) {
        throw new Problem.Forbidden("This is the token of another trial.").toException();
      }
      return Future.succeededFuture(shown.get());
    }
    return bus.request(Trials.GET, new Trials.Get(trial))
        .map(known -> new AttemptRef(trial, known.attempt()));
  }

  /** The experiment of the port, if a token that is shown is of a trial of it. */
  private ExperimentId ownOfPort(RoutingContext context) {
    ExperimentId experiment = ofPort(context);
    tokens
        .shown(context.request().headers())
        .filter(shown -> !shown.trial().experiment().equals(experiment))
        .ifPresent(foreign -> {
          throw new Problem.Forbidden("This is the token of another experiment.").toException();
        });
    return experiment;
  }

  private ExperimentId ofPort(RoutingContext context) {
    ExperimentId experiment = ports.at(context.request().localAddress().port());
    if (experiment == null) {
      throw elsewhere();
    }
    return experiment;
  }

  private static RuntimeException elsewhere() {
    return new Problem.Refused(
            new Finding(
                "", "NNI's own keepers are served at the port that their experiment was made with"))
        .toException();
  }
}
