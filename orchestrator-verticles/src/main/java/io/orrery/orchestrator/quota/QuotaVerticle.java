package io.orrery.orchestrator.quota;

import io.orrery.core.access.ProjectName;
import io.orrery.core.async.KeyedTurns;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.Quotas.HoldAnswer;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaScope;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.quota.FairShares.Claim;
import io.orrery.orchestrator.quota.FairShares.Grant;
import io.orrery.orchestrator.quota.QuotaQueue.Entry;
import io.orrery.orchestrator.quota.QuotaQueue.Full;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verticle that asks the ledger of quotas for all owners of this process. Those that do not get
 * what they want wait here ({@link QuotaQueue}). When something was given back, {@link FairShares}
 * says who is next, and these are asked for again; of each size that is refused no more: however
 * many wait, that costs a few requests, and none while nothing changes. While others wait for what
 * all projects share, who holds more of it than is fair gives back what becomes free.
 */
public final class QuotaVerticle extends VerticleBase {
  /** Charges an object; answers at once with the number of units that it holds now. */
  public static final Address<Ask, HoldAnswer> ASK =
      new Address<>("quotawaits.ask", Ask.class, HoldAnswer.class);

  /** Tells an owner that an object which waited holds more now, or waits for another reason. */
  public static final Address<Granted, Noted> GRANTED =
      new Address<>("quotawaits.granted", Granted.class, Noted.class);

  /** Tells an owner to give back what becomes free, or to go on. */
  public static final Address<GiveWay, Noted> GIVE_WAY =
      new Address<>("quotawaits.giveway", GiveWay.class, Noted.class);

  private static final Logger LOG = LoggerFactory.getLogger(QuotaVerticle.class);

  /** After which those that wait look once, in case the word that something is free was lost. */
  private static final Duration LOOK = Duration.ofSeconds(15);

  /** Claims of a server that says nothing for so long count no more. */
  private static final Duration FORGOTTEN = LOOK.multipliedBy(3);

  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Bus bus;
  private final Clock clock;
  private final QuotaQueue queue;
  private final OtherClaims others;
  private final KeyedTurns<ProjectName> turns = new KeyedTurns<>();
  private final QuotaHolders holders;
  private final Set<ProjectName> touched = new HashSet<>();

  /** Those for which the ledger is being asked: what they ask meanwhile comes after that. */
  private final Set<QuotaObject> granting = new HashSet<>();

  private boolean serving;
  private boolean again;
  private boolean looking;
  private Clock.@Nullable Timer look;

  /** Whether there is a ledger: one that stops before this process does not lift the limits. */
  private boolean answered;

  /**
   * A request for units.
   *
   * @param listener the owner of {@link #GRANTED} who is told when it has waited
   * @param hold with the number that it is to hold now
   * @param held how many it holds, as far as it knows; who may have taken some over from an earlier
   *     owner names what that may have held, and the ledger is asked
   * @param wanted how many it waits for, at least those of the hold
   * @param priority 0 to 100; who has a higher one is served first
   * @param yields whether it listens to {@link #GIVE_WAY}
   * @param ends whether it may end something for others of a higher priority
   */
  public record Ask(
      String listener,
      Hold hold,
      int held,
      int wanted,
      int priority,
      boolean yields,
      boolean ends) {
    /** The priority of what says nothing. */
    public static final int NORMAL = 50;

    /** A request of something that is new and keeps what it gets. */
    public Ask(String listener, Hold hold) {
      this(listener, hold, 0, hold.wanted(), NORMAL, false, false);
    }
  }

  public record Granted(QuotaObject object, HoldAnswer held) {}

  /**
   * A word to an owner.
   *
   * @param now whether to give back what becomes free
   * @param end how many units to give back by ending what may be started again
   */
  public record GiveWay(QuotaObject object, boolean now, int end) {}

  public record Noted() {}

  /**
   * @param server a name that no other process has
   * @param preempts whether trials are ended for objects of a higher priority
   */
  public QuotaVerticle(Bus bus, Clock clock, String server, boolean preempts) {
    this.bus = bus;
    this.clock = clock;
    this.queue = new QuotaQueue(clock);
    this.holders = new QuotaHolders(bus, clock, preempts);
    this.others = new OtherClaims(bus, clock, server, FORGOTTEN);
  }

  @Override
  public Future<?> start() {
    bus.listen(Quotas.FREED, freed -> freed(freed.project()));
    others.listen(() -> {
      if (queue.waitsForServer()) {
        serve();
      }
      lookSoon();
    });
    look();
    return bus.serve(ASK, this::ask);
  }

  private void look() {
    look =
        clock.after(
            LOOK,
            () -> {
              if (!queue.isEmpty()) {
                touched.addAll(queue.projects());
                serve();
              }
              others.repeat();
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

  private void freed(ProjectName project) {
    if (queue.concerns(project)) {
      touched.add(project);
      serve();
    }
  }

  private Future<HoldAnswer> ask(Ask asked) {
    boolean later = comesLater(asked);
    if (later && !granting.contains(asked.hold().object())) {
      return Future.succeededFuture(queued(asked));
    }
    return turns.run(
        asked.hold().project(),
        () ->
            later
                ? Future.succeededFuture(queued(asked))
                : hold(asked.hold()).map(held -> note(asked, answer(asked, held))));
  }

  /** Whether others were there before: then it is served with them, by what is fair. */
  private boolean comesLater(Ask asked) {
    return asked.hold().wanted() > asked.held()
        && (queue.waitsForServer() || others.waitForServer());
  }

  private HoldAnswer queued(Ask asked) {
    // What was granted meanwhile the owner may not have heard of yet.
    int held = Math.max(asked.held(), Math.max(queue.units(asked), holders.units(asked)));
    HoldAnswer answer =
        note(asked, new HoldAnswer(held, "others wait for the server too", QuotaScope.SERVER));
    serve();
    return answer;
  }

  private static HoldAnswer answer(Ask asked, HoldAnswer held) {
    boolean gaveWay = held.reason() == null && held.units() < asked.wanted();
    return gaveWay
        ? new HoldAnswer(held.units(), "it gave way to other projects", QuotaScope.SERVER)
        : held;
  }

  private HoldAnswer note(Ask asked, HoldAnswer held) {
    Entry waits = queue.note(asked, held);
    if (waits != null) {
      lookSoon();
    }
    if (asked.yields() && holders.note(asked, held.units(), false)) {
      lookSoon();
    }
    return waits == null ? held : waits.answer();
  }

  /** A server without a studio has no quotas: all is granted. */
  private Future<HoldAnswer> hold(Hold hold) {
    return bus.request(Quotas.HOLD, hold)
        .onSuccess(held -> answered = true)
        .recover(failure -> {
          if (!answered && Bus.isNowhere(failure)) {
            return Future.succeededFuture(HoldAnswer.all(hold.wanted()));
          }
          return Future.failedFuture(failure);
        });
  }

  private Future<FairShares> shares() {
    return bus.request(Quotas.SHARES, new Quotas.AskShares())
        .recover(failure ->
            Bus.isNowhere(failure)
                ? Future.succeededFuture(new Quotas.Shares(Map.of(), List.of()))
                : Future.failedFuture(failure))
        .map(FairShares::of);
  }

  // ---- those that wait -----------------------------------------------------------------------

  private void serve() {
    if (serving) {
      again = true;
      return;
    }
    serving = true;
    again = false;
    Set<ProjectName> now = Set.copyOf(touched);
    touched.clear();
    pass(now, new Full())
        .onFailure(failure -> {
          LOG.warn("could not ask for quotas: {}", failure.getMessage());
          touched.addAll(now);
          clock.after(SOON, this::serve);
        })
        .onComplete(done -> {
          serving = false;
          if (again) {
            serve();
          }
          lookSoon();
        });
  }

  private Future<Void> pass(Set<ProjectName> now, Full full) {
    List<Claim> claims = new ArrayList<>(queue.claims(now, full));
    if (claims.isEmpty()) {
      return Future.succeededFuture();
    }
    claims.addAll(others.ofServer());
    return shares()
        .compose(fair -> {
          boolean[] refused = {false};
          Iterator<Grant> grants = fair.plan(claims, 0).grants().iterator();
          return next(grants, full, refused)
              .compose(done -> refused[0] ? pass(now, full) : Future.succeededFuture());
        });
  }

  private Future<Void> next(Iterator<Grant> grants, Full full, boolean[] refused) {
    while (grants.hasNext()) {
      Grant grant = grants.next();
      Entry entry = queue.find(grant.object());
      if (entry != null && !full.has(entry.hold())) {
        return turns
            .run(entry.hold().project(), () -> grant(grant, full, refused))
            .compose(asked -> next(grants, full, refused));
      }
    }
    return Future.succeededFuture();
  }

  private Future<Void> grant(Grant grant, Full full, boolean[] refused) {
    Entry entry = queue.find(grant.object());
    if (entry == null || entry.missing() <= 0) {
      return Future.succeededFuture();
    }
    granting.add(grant.object());
    return granted(entry, grant, full, refused).onComplete(done -> granting.remove(grant.object()));
  }

  private Future<Void> granted(Entry entry, Grant grant, Full full, boolean[] refused) {
    Ask ask = entry.ask;
    int wanted = Math.min(ask.wanted(), entry.units + grant.units());
    return hold(ask.hold().with(wanted))
        .transform((held, failure) -> {
          if (failure != null) {
            return given(ask, failure);
          }
          boolean more = held.units() > entry.units;
          if (held.units() < wanted) {
            refused[0] = true;
            full.add(ask.hold(), held.scope());
          }
          Entry waits = queue.note(ask, held);
          if (more && ask.yields()) {
            holders.note(ask, held.units(), true);
          }
          if (more || waits == null) {
            tell(ask, waits == null ? held : waits.answer());
          }
          return Future.<Void>succeededFuture();
        });
  }

  /** Another owner has the object now: this one does not wait any more. */
  private Future<Void> given(Ask ask, Throwable failure) {
    if (Problem.of(failure) instanceof Problem.Passing
        || Problem.of(failure) instanceof Problem.Broken) {
      return Future.failedFuture(failure);
    }
    queue.remove(ask.hold().object());
    LOG.info("{} does not wait any more: {}", ask.hold().object(), failure.getMessage());
    return Future.succeededFuture();
  }

  private void tell(Ask ask, HoldAnswer held) {
    if (!bus.tellHere(GRANTED.of(ask.listener()), new Granted(ask.hold().object(), held))) {
      LOG.debug("dropping the grant of {}: its owner is not here", ask.hold().object());
    }
  }

  // ---- what those that wait are told, and those that hold ------------------------------------

  /**
   * Has it look soon at places and at who gives way; however much changes, a few times a second.
   */
  private void lookSoon() {
    if (looking) {
      return;
    }
    looking = true;
    clock.after(
        PAUSE,
        () -> {
          looking = false;
          lookNow();
        });
  }

  private void lookNow() {
    others.tell(queue.sums());
    if (queue.isEmpty() && others.isEmpty() && !holders.anyGivesWay()) {
      return;
    }
    shares()
        .onSuccess(fair -> {
          List<Claim> claims = new ArrayList<>(queue.claims(Set.of(), new Full()));
          claims.addAll(others.ofServer());
          queue.all().stream()
              .filter(entry -> entry.scope == QuotaScope.SERVER)
              .forEach(entry ->
                  fair.words(entry.hold().project(), entry.hold().unit())
                      .ifPresent(words -> entry.reason = words));
          List<Entry> changed = queue.places(fair.plan(claims, QuotaQueue.PLACES).order());
          changed.forEach(entry -> tell(entry.ask, entry.answer()));
          List<Claim> own = queue.claims(queue.projects(), new Full());
          List<Claim> all = new ArrayList<>(own);
          all.addAll(others.all());
          holders.tell(fair, all, own);
        })
        .onFailure(failure -> {
          LOG.warn("could not look at what projects share: {}", failure.getMessage());
          clock.after(SOON, this::lookSoon);
        });
  }
}
