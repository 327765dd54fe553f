package io.orrery.orchestrator.quota;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.Quotas.HoldAnswer;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verticle that asks the ledger of quotas for all owners of this process. Those that do not get
 * what they want wait here, in the order in which they came. They are asked for again when
 * something of their project was given back, one of each size, and more only as long as it is
 * granted: however many wait, that costs a few requests, and none while nothing changes.
 */
public final class QuotaVerticle extends VerticleBase {
  /** Charges an object; answers at once with the number of units that it holds now. */
  public static final Address<Ask, HoldAnswer> ASK =
      new Address<>("quotawaits.ask", Ask.class, HoldAnswer.class);

  /** Tells an owner that an object which waited holds more now, or waits for another reason. */
  public static final Address<Granted, Noted> GRANTED =
      new Address<>("quotawaits.granted", Granted.class, Noted.class);

  private static final Logger LOG = LoggerFactory.getLogger(QuotaVerticle.class);

  /** After which those that wait look once, in case the word that something is free was lost. */
  private static final Duration LOOK = Duration.ofSeconds(15);

  private static final Duration SOON = Duration.ofSeconds(1);

  private final Bus bus;
  private final Clock clock;
  private final Map<ProjectName, WaitingList> lists = new HashMap<>();
  private Clock.@Nullable Timer look;

  /** Whether there is a ledger: one that stops before this process does not lift the limits. */
  private boolean answered;

  /**
   * A request for units.
   *
   * @param listener the owner of {@link #GRANTED} who is told when it has waited
   */
  public record Ask(String listener, Hold hold) {}

  public record Granted(QuotaObject object, HoldAnswer held) {}

  public record Noted() {}

  /**
   * A list of those that wait in one project; its requests to the ledger go one after the other.
   */
  private static final class WaitingList {
    final Map<QuotaObject, Ask> waiting = new LinkedHashMap<>();
    Future<?> turn = Future.succeededFuture();
    boolean serving;
    boolean again;
  }

  /** The size of a request: when one of its kind does not fit, no other does. */
  private record Size(Amounts unit, @Nullable String user) {}

  public QuotaVerticle(Bus bus, Clock clock) {
    this.bus = bus;
    this.clock = clock;
  }

  @Override
  public Future<?> start() {
    bus.listen(
        Quotas.FREED,
        freed -> {
          WaitingList list = lists.get(freed.project());
          if (list != null) {
            serve(freed.project(), list);
          }
        });
    look();
    return bus.serve(ASK, this::ask);
  }

  private void look() {
    look =
        clock.after(
            LOOK,
            () -> {
              Map.copyOf(lists).forEach(this::serve);
              look();
            });
  }

  @Override
  public Future<?> stop() {
    if (look != null) {
      look.cancel();
    }
    return Future.succeededFuture();
  }

  private Future<HoldAnswer> ask(Ask asked) {
    ProjectName project = asked.hold().project();
    WaitingList list = lists.computeIfAbsent(project, added -> new WaitingList());
    return inTurn(list, () -> hold(asked.hold()))
        .map(held -> {
          QuotaObject object = asked.hold().object();
          if (held.units() < asked.hold().wanted()) {
            list.waiting.put(object, asked);
          } else {
            list.waiting.remove(object);
          }
          forgetIfIdle(project, list);
          return held;
        });
  }

  private static <T> Future<T> inTurn(WaitingList list, Supplier<Future<T>> what) {
    Future<T> turn = list.turn.transform((done, failure) -> what.get());
    list.turn = turn;
    return turn;
  }

  private void forgetIfIdle(ProjectName project, WaitingList list) {
    if (list.waiting.isEmpty() && !list.serving && list.turn.isComplete()) {
      lists.remove(project, list);
    }
  }

  /** A server without a studio has no quotas: all is granted. */
  private Future<HoldAnswer> hold(Hold hold) {
    return bus.request(Quotas.HOLD, hold)
        .onSuccess(held -> answered = true)
        .recover(failure -> {
          if (!answered && Bus.isNowhere(failure)) {
            return Future.succeededFuture(new HoldAnswer(hold.wanted(), null, false));
          }
          return Future.failedFuture(failure);
        });
  }

  // ---- those that wait -----------------------------------------------------------------------

  private void serve(ProjectName project, WaitingList list) {
    if (list.waiting.isEmpty()) {
      return;
    }
    if (list.serving) {
      list.again = true;
      return;
    }
    list.serving = true;
    list.again = false;
    next(list, List.copyOf(list.waiting.keySet()).iterator(), new HashSet<>())
        .onFailure(failure -> {
          LOG.warn("could not ask for the quota of {}: {}", project, failure.getMessage());
          clock.after(SOON, () -> serve(project, list));
        })
        .onComplete(done -> {
          list.serving = false;
          if (list.again) {
            serve(project, list);
          }
          forgetIfIdle(project, list);
        });
  }

  private Future<Void> next(WaitingList list, Iterator<QuotaObject> order, Set<Size> full) {
    while (order.hasNext()) {
      QuotaObject object = order.next();
      Ask ask = list.waiting.get(object);
      if (ask != null && !isFull(ask.hold(), full)) {
        return again(list, object, full).compose(asked -> next(list, order, full));
      }
    }
    return Future.succeededFuture();
  }

  private static boolean isFull(Hold hold, Set<Size> full) {
    return full.contains(new Size(hold.unit(), null))
        || full.contains(new Size(hold.unit(), hold.user()));
  }

  private Future<Void> again(WaitingList list, QuotaObject object, Set<Size> full) {
    return inTurn(
        list,
        () -> {
          Ask ask = list.waiting.get(object);
          return ask == null
              ? Future.<Void>succeededFuture()
              : hold(ask.hold())
                  .transform((held, failure) -> {
                    if (failure != null) {
                      return given(list, ask, failure);
                    }
                    if (held.units() >= ask.hold().wanted()) {
                      list.waiting.remove(object, ask);
                    } else {
                      String user = held.wholeProject() ? null : ask.hold().user();
                      full.add(new Size(ask.hold().unit(), user));
                    }
                    tell(ask, held);
                    return Future.<Void>succeededFuture();
                  });
        });
  }

  /** Another owner has the object now: this one does not wait any more. */
  private Future<Void> given(WaitingList list, Ask ask, Throwable failure) {
    if (Problem.of(failure) instanceof Problem.Passing
        || Problem.of(failure) instanceof Problem.Broken) {
      return Future.failedFuture(failure);
    }
    list.waiting.remove(ask.hold().object(), ask);
    LOG.info("{} does not wait any more: {}", ask.hold().object(), failure.getMessage());
    return Future.succeededFuture();
  }

  private void tell(Ask ask, HoldAnswer held) {
    if (!bus.tellHere(GRANTED.of(ask.listener()), new Granted(ask.hold().object(), held))) {
      LOG.debug("dropping the grant of {}: its owner is not here", ask.hold().object());
    }
  }
}
