package io.orrery.gateway.channel;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.ParameterRecord;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.Trial;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * NNI's HTTP command channel (NNI 3, {@code nni/runtime/command_channel/http}) at {@code
 * /trial/<token>}. A trial PUTs a command; 200 means that it was taken, for a metric that it is
 * durable. A trial GETs the next command for it, and waits up to a second: 408 says "nothing yet,
 * ask again", 410 "there is nothing more to come".
 *
 * <p>The stock SDK numbers nothing that could tell a repetition from a second result: every final
 * has sequence 0. Such a point gets a number of ours under a source of ours, both unique to this
 * start of the server, so that two finals are two, and the last one counts. Our own SDK sends its
 * source and ordinal and may repeat what it is not sure of.
 *
 * <p>What was asked for is held in memory only. A trial that asked one server and polls the next,
 * after a restart, is recognised by having started before this one: its poll is answered though
 * this server did not get its request.
 */
public final class TrialChannel implements Api {
  private static final int MAX_COMMAND_BYTES = 4 << 20;
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Reply NOTHING_YET = Reply.empty(408);
  private static final Reply OVER = Reply.empty(410);

  private final Bus bus;
  private final MetricSink sink;
  private final TrialTokens tokens;
  private final RequestBody bodies;
  private final Clock clock;
  private final String source;
  private final Instant born;
  private final Mailboxes mailboxes;
  private final PresentExperiments experiments;
  private long points;
  private boolean closed;

  /**
   * @param name unlike that of any other start of the server: part of the source of unnumbered
   *     points
   */
  public TrialChannel(
      Bus bus, MetricSink sink, TrialTokens tokens, RequestBody bodies, Clock clock, String name) {
    this.bus = bus;
    this.sink = sink;
    this.tokens = tokens;
    this.bodies = bodies;
    this.clock = clock;
    this.source = "channel-" + name;
    this.born = clock.now();
    this.mailboxes = new Mailboxes(clock);
    this.experiments = new PresentExperiments(bus);
  }

  @Override
  public void mount(ApiRouter router) {
    router.put("/trial/:token", RouteNeed.ATTEMPT, this::take);
    router.poll("/trial/:token", RouteNeed.ATTEMPT, this::poll);
  }

  @Override
  public void close() {
    closed = true;
    mailboxes.close();
    experiments.close();
  }

  private Future<Reply> take(RoutingContext context) {
    AttemptRef attempt = attempt(context);
    return bodies
        .text(context, MAX_COMMAND_BYTES)
        .compose(text ->
            switch (ChannelCommand.read(text)) {
              case ChannelCommand.RequestParameter ignored -> {
                mailboxes.ask(attempt);
                yield Future.succeededFuture(Reply.empty(200));
              }
              case ChannelCommand.Metric metric ->
                  experiments
                      .check(attempt.trial().experiment())
                      .compose(there -> sink.append(List.of(point(attempt, metric))))
                      .map(durable -> Reply.empty(200));
            });
  }

  private MetricPoint point(AttemptRef attempt, ChannelCommand.Metric metric) {
    ChannelCommand.Identity identity = metric.identity();
    return new MetricPoint(
        attempt,
        identity == null ? source : identity.source(),
        identity == null ? points++ : identity.ordinal(),
        metric.kind(),
        metric.sequence(),
        metric.parameterId(),
        clock.millis(),
        metric.value());
  }

  private Future<Reply> poll(RoutingContext context) {
    AttemptRef attempt = attempt(context);
    return present(attempt)
        .compose(trial -> {
          if (trial == null) {
            mailboxes.forget(attempt);
            return Future.succeededFuture(OVER);
          }
          if (closed) {
            return Future.succeededFuture(NOTHING_YET);
          }
          if (mailboxes.take(attempt) || startedBeforeUs(trial)) {
            return Future.succeededFuture(parameter(trial.current()));
          }
          return wait(context, attempt);
        });
  }

  /** Waits for a request for parameters, for the end of the second, or for the client to leave. */
  private Future<Reply> wait(RoutingContext context, AttemptRef attempt) {
    Promise<Void> woken = Promise.promise();
    Runnable wake = woken::tryComplete;
    Clock.Timer end = clock.after(POLL, wake);
    context.response().closeHandler(gone -> woken.tryComplete());
    mailboxes.await(attempt, wake);
    return woken
        .future()
        .compose(awake -> {
          end.cancel();
          mailboxes.leave(attempt, wake);
          // NNI says 410 here. Our trials outlive the server, and a 410 would end them.
          if (closed) {
            return Future.succeededFuture(NOTHING_YET);
          }
          if (context.response().closed() || !mailboxes.take(attempt)) {
            return Future.succeededFuture(NOTHING_YET);
          }
          return present(attempt).map(trial -> trial == null ? OVER : parameter(trial.current()));
        });
  }

  /** The trial, or null when this attempt of it is over or forgotten. */
  private Future<@Nullable Trial> present(AttemptRef attempt) {
    return bus.request(Trials.GET, new Trials.Get(attempt.trial()))
        .<@Nullable Trial>map(
            trial -> trial.status().isFinal() || trial.attempt() != attempt.number() ? null : trial)
        .recover(failure ->
            failure instanceof ProblemException known && known.problem() instanceof Problem.NotFound
                ? Future.succeededFuture(null)
                : Future.failedFuture(failure));
  }

  private boolean startedBeforeUs(Trial trial) {
    return trial.startedAt() != null && trial.startedAt().isBefore(born);
  }

  private AttemptRef attempt(RoutingContext context) {
    return tokens
        .open(context.pathParam("token"))
        .orElseThrow(() -> new Problem.Forbidden("This is not a token of a trial.").toException());
  }

  /** The record of NNI's trial protocol, as text inside the command. */
  private static Reply parameter(ParameterSet set) {
    return Reply.ok(
        Json.MAPPER
            .createObjectNode()
            .put("type", "parameter")
            .put("parameter", Json.write(ParameterRecord.of(set))));
  }
}
