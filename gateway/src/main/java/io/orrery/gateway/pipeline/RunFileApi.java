package io.orrery.gateway.pipeline;

import io.orrery.core.access.Need;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.PipelineRuns.ReadOutput;
import io.orrery.core.bus.contract.PipelineRuns.Step;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.digest.Sha256;
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
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;

/** The API of the logs and outputs of steps. */
final class RunFileApi implements Api {
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
          return new Sending(response, view.run().id(), step.name(), output, as).send();
        })
        .onFailure(context::fail);
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

  /**
   * The way of an output to a client. A piece is sent when the next one is there, so that the last
   * one is held back until all of them are what the digest says.
   */
  private final class Sending {
    private final HttpServerResponse response;
    private final RunId run;
    private final String step;
    private final StepOutput output;
    private final As as;
    private final MessageDigest read = Sha256.begin();
    private long at;

    Sending(HttpServerResponse response, RunId run, String step, StepOutput output, As as) {
      this.response = response;
      this.run = run;
      this.step = step;
      this.output = output;
      this.as = as;
    }

    Future<Void> send() {
      // Asked for before the head is written, so that a missing file is a problem.
      return piece()
          .compose(first ->
              AsyncLoop.iterate(
                  first,
                  held ->
                      piece()
                          .compose(next -> {
                            if (next.length == 0) {
                              verify();
                            }
                            return write(held)
                                .map(
                                    next.length == 0
                                        ? Optional.<byte[]>empty()
                                        : Optional.of(next));
                          })))
          .compose(all -> response.end());
    }

    private Future<byte[]> piece() {
      return bus.request(
              PipelineRuns.READ_OUTPUT,
              new ReadOutput(run, step, output.name(), at, PipelineRuns.MOST_PIECE))
          .map(piece -> {
            byte[] bytes = piece.bytes();
            read.update(bytes);
            at += bytes.length;
            return bytes;
          });
    }

    private void verify() {
      String digest = output.digest();
      String found = HexFormat.of().formatHex(read.digest());
      if (digest != null && !digest.equals(found)) {
        throw new Problem.Broken(
                "the stored artifact sha256:%s is damaged: it is %s".formatted(digest, found))
            .toException();
      }
    }

    private Future<Void> write(byte[] bytes) {
      if (!response.headWritten()) {
        head(response, output, as)
            .putHeader("X-Content-Type-Options", "nosniff")
            .putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(output.bytes()));
      }
      return response.write(Buffer.buffer(bytes));
    }
  }
}
