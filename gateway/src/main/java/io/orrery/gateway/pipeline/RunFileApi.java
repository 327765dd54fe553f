package io.orrery.gateway.pipeline;

import io.orrery.core.access.Need;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.PipelineRuns.ReadOutput;
import io.orrery.core.bus.contract.PipelineRuns.Step;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.RunId;
import io.orrery.core.run.StepOutput;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.LogStreams;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** The API of the logs and outputs of steps. */
public final class RunFileApi implements Api {
  private static final int MOST_ATTEMPTS = 1_000_000;

  /** The policy of an HTML file that is shown: no scripts, no requests, an origin of its own. */
  private static final String FRAMED =
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:;"
          + " frame-ancestors 'self'";

  /** The form in which an output is sent. */
  private enum As {
    FILE,
    PAGE
  }

  private final Bus bus;
  private final LogStreams streams;

  public RunFileApi(Bus bus, LogStreams streams) {
    this.bus = bus;
    this.streams = streams;
  }

  @Override
  public void mount(ApiRouter router) {
    router.stream(
        RunApi.ONE + "/steps/:step/logs/:stream",
        RouteNeed.STUDIO,
        this::log,
        "attempt",
        "offset",
        "follow");
    router.stream(RunApi.ONE + "/artifacts/:step/:name", RouteNeed.STUDIO, this::artifact, "as");
  }

  private void log(RoutingContext context) {
    Stream stream =
        switch (context.pathParam("stream")) {
          case "stdout" -> Stream.STDOUT;
          case "stderr" -> Stream.STDERR;
          case String other ->
              throw new Problem.NotFound("A step writes stdout and stderr, not " + other + ".")
                  .toException();
        };
    long wanted = Query.of(context).integer("attempt", 0, 0, MOST_ATTEMPTS);
    Integer attempt = wanted == 0 ? null : Integer.valueOf((int) wanted);
    RunApi.allowed(bus, context, Need.READ)
        .map(view -> RunApi.step(view, context.pathParam("step")))
        .onSuccess(step ->
            streams.send(
                context,
                (offset, limit) ->
                    bus.request(
                        PipelineRuns.READ_LOG,
                        new PipelineRuns.ReadLog(
                            RunApi.id(context), step.name(), attempt, stream, offset, limit))))
        .onFailure(context::fail);
  }

  /**
   * Sends an output as a download, or as a page that can do nothing: what a user made must not run
   * as a part of our page.
   */
  private void artifact(RoutingContext context) {
    String name = context.pathParam("name");
    As as = Objects.requireNonNullElse(Query.of(context).oneOf("as", As.class), As.FILE);
    RunApi.allowed(bus, context, Need.READ)
        .compose(view -> {
          Step step = RunApi.step(view, context.pathParam("step"));
          StepOutput output =
              step.outputs().stream()
                  .filter(each -> each.name().equals(name))
                  .findFirst()
                  .orElseThrow(() ->
                      new Problem.NotFound("Step %s has no output %s.".formatted(step.name(), name))
                          .toException());
          HttpServerResponse response = context.response();
          // Asked for before the head is written, so that a missing file is a problem.
          return piece(view.run().id(), step.name(), name, 0)
              .compose(first -> {
                head(response, output, as)
                    .putHeader("X-Content-Type-Options", "nosniff")
                    .putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(output.bytes()));
                return send(response, view.run().id(), step.name(), name, 0, first);
              });
        })
        .onFailure(failure -> {
          if (context.response().headWritten()) {
            context.response().reset();
          } else {
            context.fail(failure);
          }
        });
  }

  private static HttpServerResponse head(HttpServerResponse response, StepOutput output, As as) {
    return switch (as) {
      case FILE ->
          response
              .putHeader(HttpHeaders.CONTENT_TYPE, type(output))
              .putHeader(
                  "Content-Disposition",
                  "attachment; filename=\"%s%s\""
                      .formatted(
                          output.name(), output.kind() == StepOutput.Kind.DIRECTORY ? ".tar" : ""));
      case PAGE ->
          response
              .putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8")
              .putHeader("Content-Security-Policy", FRAMED);
    };
  }

  private static String type(StepOutput output) {
    return switch (output.kind()) {
      case VALUE -> "text/plain; charset=utf-8";
      case FILE -> "application/octet-stream";
      case DIRECTORY -> "application/x-tar";
    };
  }

  private Future<byte[]> piece(RunId run, String step, String name, long offset) {
    return bus.request(
            PipelineRuns.READ_OUTPUT,
            new ReadOutput(run, step, name, offset, PipelineRuns.MOST_PIECE))
        .map(PipelineRuns.OutputPiece::bytes);
  }

  /** Sends piece by piece; the next is asked for when this one is on its way. */
  private Future<Void> send(
      HttpServerResponse response, RunId run, String step, String name, long offset, byte[] bytes) {
    AtomicLong at = new AtomicLong(offset);
    return AsyncLoop.iterate(
            bytes,
            piece ->
                piece.length == 0
                    ? Future.succeededFuture(Optional.empty())
                    : response
                        .write(Buffer.buffer(piece))
                        .compose(written -> piece(run, step, name, at.addAndGet(piece.length)))
                        .map(Optional::of))
        .compose(all -> response.end());
  }
}
