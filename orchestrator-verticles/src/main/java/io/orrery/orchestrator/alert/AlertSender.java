package io.orrery.orchestrator.alert;

import io.orrery.compute.secret.ProjectSecrets;
import io.orrery.compute.secret.SecretBox;
import io.orrery.core.alert.AlertRows;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.Bus.Subscription;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Schedules;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.SecretReference;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.alert.AlertTable.Waiting;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verticle that sends alerts, one server at a time by a lease. An alert is a row until its
 * outcome is stored, so one whose outcome was lost is sent again, under the same name.
 */
public final class AlertSender extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(AlertSender.class);

  /** The most alerts that are sent at once. */
  private static final int MOST_AT_ONCE = 16;

  /** The most rows that a look reads: more than are sent, as some of them are being sent. */
  private static final int MOST_READ = 4 * MOST_AT_ONCE;

  /** The longest wait: news of a run may be lost, and clocks are set. */
  private static final Duration ROUND = Duration.ofSeconds(10);

  private static final Duration SOON = Duration.ofMillis(50);
  private static final Duration LATER = Duration.ofSeconds(2);
  private static final Duration SWEEP = Duration.ofHours(1);
  private static final Duration LIFE = Duration.ofDays(30);
  private static final String WEBHOOK = "webhook";
  private static final int MOST_WORDS = 500;

  private final Bus bus;
  private final Clock clock;
  private final RandomGenerator random;
  private final ProjectSecrets secrets;
  private final Predicate<InetAddress> allowed;
  private final Mailing mailing;
  private final Store store;
  private final AlertTable table;
  private final Set<String> busy = new HashSet<>();
  private @Nullable WebhookClient client;
  private @Nullable AlertMail mail;
  private final List<Subscription> listening = new ArrayList<>();
  private Clock.@Nullable Timer timer;
  private @Nullable Instant wakes;
  private Instant swept = Instant.MIN;
  private boolean looking;
  private boolean again;
  private boolean closed;

  /**
   * The way of mails.
   *
   * @param settings null when the server sends none
   * @param box which opens its password
   * @param server the address of the page, without a slash at its end
   */
  public record Mailing(@Nullable MailSettings settings, SecretBox box, String server) {}

  /**
   * @param store which fails writes when another server sends the alerts
   * @param allowed whether an address that is not public may be reached all the same
   */
  public AlertSender(
      Bus bus,
      Store store,
      Clock clock,
      RandomGenerator random,
      ProjectSecrets secrets,
      Predicate<InetAddress> allowed,
      Mailing mailing) {
    this.bus = bus;
    this.store = store;
    this.clock = clock;
    this.random = random;
    this.secrets = secrets;
    this.allowed = allowed;
    this.mailing = mailing;
    this.table = new AlertTable(store);
  }

  @Override
  public Future<?> start() {
    client = new WebhookClient(vertx, MOST_AT_ONCE, allowed);
    mail = new AlertMail(vertx, mailing.settings(), mailing.box(), mailing.server());
    return AlertRows.MIGRATIONS
        .apply(store)
        .onSuccess(current -> {
          listening.add(
              bus.listen(
                  PipelineRuns.CHANGED, changed -> context.runOnContext(go -> lookIn(SOON))));
          listening.add(
              bus.listen(Schedules.CHANGED, changed -> context.runOnContext(go -> lookIn(SOON))));
          look();
        });
  }

  // ---- looking -------------------------------------------------------------------------------

  /** Asks for a look; one that comes earlier anyhow is enough. */
  private void lookIn(Duration pause) {
    Instant at = clock.now().plus(pause);
    if (closed || (wakes != null && !wakes.isAfter(at))) {
      return;
    }
    if (timer != null) {
      timer.cancel();
    }
    wakes = at;
    timer = clock.after(pause, this::look);
  }

  private void look() {
    wakes = null;
    if (closed) {
      return;
    }
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    Instant now = clock.now();
    sweep(now);
    table
        .due(now, MOST_READ)
        .compose(rows -> {
          send(rows);
          return table.next(now);
        })
        .onSuccess(next ->
            lookIn(
                next.map(at -> Duration.between(clock.now(), at))
                    .map(pause -> pause.compareTo(SOON) < 0 ? SOON : pause)
                    .filter(pause -> pause.compareTo(ROUND) < 0)
                    .orElse(ROUND)))
        .onFailure(failure -> {
          LOG.warn("could not read the alerts: {}", Problem.of(failure).detail());
          lookIn(LATER);
        })
        .onComplete(looked -> {
          looking = false;
          if (again) {
            again = false;
            lookIn(SOON);
          }
        });
  }

  private void sweep(Instant now) {
    if (swept.isBefore(now.minus(SWEEP))) {
      swept = now;
      table
          .forgetBefore(now.minus(LIFE))
          .onFailure(
              failure -> LOG.warn("could not delete old alerts: {}", Problem.of(failure).detail()));
    }
  }

  // ---- sending -------------------------------------------------------------------------------

  private void send(List<Waiting> rows) {
    for (Waiting row : rows) {
      if (!closed && busy.size() < MOST_AT_ONCE && busy.add(row.id())) {
        attempt(row)
            .recover(failure -> Future.succeededFuture(AlertOutcome.failed(words(failure))))
            .onSuccess(outcome -> {
              // One that was cut off by our own end is sent again by the next sender.
              if (!closed) {
                settle(row, outcome);
              }
            });
      }
    }
  }

  private Future<AlertOutcome> attempt(Waiting row) {
    String address = row.mail();
    if (address != null) {
      return Objects.requireNonNull(mail).send(address, row.told(), row.body());
    }
    return secrets
        .fill(row.project(), Map.of(WEBHOOK, SecretReference.PREFIX + row.webhook()))
        .compose(filled ->
            Webhook.read(Objects.requireNonNull(filled.get(WEBHOOK)))
                .map(to ->
                    Objects.requireNonNull(client).send(to, row.id(), row.body(), clock.now()))
                .orElseGet(() ->
                    Future.succeededFuture(
                        AlertOutcome.failed(
                            "secret %s of project %s does not begin with an address such as"
                                    .formatted(row.webhook(), row.project())
                                + " https://example.com/hook"))));
  }

  /** Why the secret could not be opened. */
  private static String words(Throwable failure) {
    Problem problem = Problem.of(failure);
    String words =
        problem instanceof Problem.Refused refused && !refused.findings().isEmpty()
            ? refused.findings().stream().map(Finding::message).collect(Collectors.joining("; "))
            : problem.detail();
    return words.length() <= MOST_WORDS ? words : words.substring(0, MOST_WORDS) + "…";
  }

  private void settle(Waiting row, AlertOutcome outcome) {
    Instant now = clock.now();
    AlertPlan.Step step = AlertPlan.after(row.attempts() + 1, outcome, now, random.nextDouble());
    table
        .settle(row, step, outcome, now)
        .onSuccess(stored -> {
          busy.remove(row.id());
          row.run()
              .ifPresent(run -> bus.publish(PipelineRuns.CHANGED, new PipelineRuns.Changed(run)));
          lookIn(SOON);
        })
        .onFailure(failure -> {
          LOG.warn(
              "could not store the outcome of alert {}: {}",
              row.id(),
              Problem.of(failure).detail());
          clock.after(
              LATER,
              () -> {
                if (!closed) {
                  settle(row, outcome);
                }
              });
        });
  }

  @Override
  public Future<?> stop() {
    closed = true;
    if (timer != null) {
      timer.cancel();
    }
    listening.forEach(Subscription::cancel);
    return client == null ? Future.succeededFuture() : client.close();
  }
}
