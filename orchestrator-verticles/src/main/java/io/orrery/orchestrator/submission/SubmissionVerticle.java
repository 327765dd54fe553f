package io.orrery.orchestrator.submission;

import io.orrery.compute.catalog.Platforms;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.trace.Spans;
import io.orrery.orchestrator.status.Statuses;
import io.orrery.orchestrator.submission.Submissions.Done;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes attempts in charge for all platforms; each has a {@link Gate} of its own, so that a slow
 * one holds up no other. Cancellations do not queue: what is to end shall end now.
 */
public final class SubmissionVerticle extends VerticleBase implements Gate.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(SubmissionVerticle.class);

  private final Bus bus;
  private final Platforms platforms;
  private final Clock clock;
  private final Map<String, RateLimit> limits;
  private final Map<String, Gate> gates = new HashMap<>();

  /**
   * @param limits how many trials platforms are given, by their names; the others as many as they
   *     take
   */
  public SubmissionVerticle(
      Bus bus, Platforms platforms, Clock clock, Map<String, RateLimit> limits) {
    this.bus = bus;
    this.platforms = platforms;
    this.clock = clock;
    this.limits = Map.copyOf(limits);
  }

  @Override
  public Future<?> start() {
    return Future.all(
        bus.serve(Submissions.SUBMIT, this::take),
        bus.serve(Submissions.CANCEL, this::cancel),
        bus.serve(Submissions.WITHDRAW, this::withdraw));
  }

  private Future<Gate> gate(String platform) {
    return platforms
        .service(platform)
        .map(service ->
            gates.computeIfAbsent(
                platform,
                name -> new Gate(name, submitting(name, service), clock, this, limits.get(name))));
  }

  /** Each submission begins a trace: it is called for by a loop, and by no request. */
  private Function<Submission, Future<Void>> submitting(String platform, TrainingService service) {
    Spans.Work work = new Spans.Work("submit trial", "orrery.training_service", platform);
    return submission -> Spans.begin(vertx, work, () -> service.submit(submission));
  }

  private Future<Done> take(Submissions.Submit submit) {
    Submission submission = submit.submission();
    return gate(submission.job().trainingService().platform())
        .compose(gate ->
            gate.enter(submission, submit.share(), submit.allowed())
                ? Future.succeededFuture(new Done())
                : Future.failedFuture(
                    new Problem.Busy(
                            Gate.MOST_WAITING + " trials wait for the platform already",
                            Duration.ofSeconds(1))
                        .toException()))
        .onFailure(failure -> {
          ExperimentId owner = submission.attempt().trial().experiment();
          Problem why = Problem.of(failure);
          tell(Submissions.RETURNED.of(owner), new Submissions.Returned(submission, why));
        });
  }

  private Future<Submissions.Withdrawn> withdraw(Submissions.Withdraw withdraw) {
    return gate(withdraw.platform())
        .compose(gate -> {
          if (gate.mayBeThere(withdraw.attempt())) {
            return Future.succeededFuture(false);
          }
          return gate.leave(withdraw.attempt())
              ? Future.succeededFuture(true)
              : platforms
                  .service(withdraw.platform())
                  .compose(service -> service.withdraw(withdraw.attempt()));
        })
        .map(Submissions.Withdrawn::new);
  }

  private Future<Done> cancel(Submissions.Cancel cancel) {
    AttemptRef attempt = cancel.attempt();
    return gate(cancel.platform())
        .compose(gate -> {
          if (gate.leave(attempt)) {
            String why = "was ended before its platform had it";
            Statuses.tell(bus, new PlatformEvent.Ended(attempt, null, clock.now(), why));
            return Future.succeededFuture();
          }
          return platforms.service(cancel.platform()).compose(service -> service.cancel(attempt));
        })
        .map(gone -> new Done());
  }

  @Override
  public void waits(AttemptRef attempt, String reason) {
    Statuses.tell(bus, new PlatformEvent.Waiting(attempt, reason));
  }

  @Override
  public void refused(AttemptRef attempt, String reason) {
    tell(
        Submissions.REFUSED.of(attempt.trial().experiment()),
        new Submissions.Refused(attempt, reason, false));
  }

  @Override
  public void refusedToAll(AttemptRef attempt, String reason) {
    tell(
        Submissions.REFUSED.of(attempt.trial().experiment()),
        new Submissions.Refused(attempt, reason, true));
  }

  private <W> void tell(Address<W, Done> owner, W word) {
    if (!bus.tellHere(owner, word)) {
      LOG.debug("dropping {}: its owner is not here", word);
    }
  }
}
