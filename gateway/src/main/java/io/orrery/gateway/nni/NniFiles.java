package io.orrery.gateway.nni;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.http.Outflow;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** The NNI call {@code trial-file}, which was {@code trial-log} before NNI 2. */
final class NniFiles {
  private static final int PIECE = 64 * 1024;

  private static final Map<String, Stream> FILES =
      Map.of("trial.log", Stream.TRIAL, "stdout", Stream.STDOUT, "stderr", Stream.STDERR);

  private static final Map<String, String> OLDER =
      Map.of("TRIAL_LOG", "trial.log", "TRIAL_ERROR", "stderr", "TRIAL_STDOUT", "stdout");

  private final Bus bus;
  private final Clock clock;
  private final EdgeOptions options;
  private final NniTarget target;

  NniFiles(Bus bus, Clock clock, EdgeOptions options, NniTarget target) {
    this.bus = bus;
    this.clock = clock;
    this.options = options;
    this.target = target;
  }

  void mount(ApiRouter router, String base) {
    router.stream(
        base + "/trial-file/:trial/:file",
        RouteNeed.CHECKED,
        context -> send(context, context.pathParam("file")));
    router.stream(
        base + "/trial-log/:trial/:type",
        RouteNeed.CHECKED,
        context ->
            send(
                context, OLDER.getOrDefault(context.pathParam("type"), context.pathParam("type"))));
  }

  private void send(RoutingContext context, String name) {
    Stream stream = FILES.get(name);
    if (stream == null) {
      NniErrors.write(
          context,
          new Problem.NotFound("a trial has trial.log, stdout and stderr, no file '" + name + "'")
              .toException());
      return;
    }
    target
        .ref(context)
        .compose(trial ->
            read(trial, stream, 0)
                .compose(first -> {
                  context
                      .response()
                      .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8");
                  if (first.bytes().length == 0) {
                    return context.response().end(name + " is empty.");
                  }
                  Outflow out =
                      new Outflow(context.response(), clock, options.patience(), () -> {});
                  Promise<Void> sent = Promise.promise();
                  copy(trial, stream, first, out, sent);
                  return sent.future();
                }))
        .onFailure(e -> NniErrors.write(context, e));
  }

  /** Up to the end as it is when that is reached; a loop on one promise, as deep for any file. */
  private void copy(
      TrialRef trial, Stream stream, LogPiece piece, Outflow out, Promise<Void> sent) {
    if (piece.bytes().length == 0) {
      out.end();
      sent.complete();
      return;
    }
    out.write(Buffer.buffer(piece.bytes()))
        .compose(written -> read(trial, stream, piece.next()))
        .onSuccess(next -> copy(trial, stream, next, out, sent))
        .onFailure(sent::fail);
  }

  private Future<LogPiece> read(TrialRef trial, Stream stream, long offset) {
    return bus.request(Trials.READ_LOG, new Trials.ReadLog(trial, null, stream, offset, PIECE));
  }
}
