package io.orrery.router.policy;

import io.orrery.core.route.RouteLayer;
import io.orrery.core.time.Clock;
import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.Admission.Admitted;
import io.orrery.router.policy.Admission.TurnedAway;
import io.orrery.router.route.Hedge;
import io.orrery.router.route.Limits;
import io.orrery.router.route.Picker;
import io.orrery.router.route.Priorities;
import io.orrery.router.route.RequestFacts;
import io.orrery.router.route.RequestKey;
import io.orrery.router.route.Split;
import io.orrery.router.route.UploadRate;
import io.orrery.router.telemetry.AccessLog;
import io.orrery.router.telemetry.Meters;
import io.orrery.router.telemetry.Meters.Refusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The state that an event loop has once, whichever way its requests take: randomness, the time of
 * the last tick, the budgets, and whether the router is about to leave.
 */
public final class Loop {
  private final Surroundings surroundings;
  private final int number;
  private final int loops;
  private final RandomGenerator random;
  private final Picker picker;
  private final CopyBudget copies;
  private final MemoryBudget memory;
  private final WorkTurns turns;
  private final ReadBudget reads;
  private final Map<String, AttemptBudget> budgets = new HashMap<>();
  private final HedgeRules hedges;
  private final List<RequestCount> counts = new ArrayList<>(2);
  private final DateField date = new DateField();
  private final PassGuard guard;
  private LiveTable seen;
  private long now;
  private boolean leaving;

  /**
   * @param number which one it is, from 0
   * @param loops how many there are
   * @param later runs what it is given after the connections that are ready in this turn
   */
  public Loop(
      Surroundings surroundings, int number, int loops, RandomGenerator random, Executor later) {
    this.surroundings = surroundings;
    this.number = number;
    this.loops = loops;
    this.random = random;
    this.picker = new Picker(random);
    this.seen = surroundings.tables().current();
    this.now = surroundings.nanos().getAsLong();
    this.memory =
        new MemoryBudget(surroundings.limits(), loops, number, surroundings.meters(), now);
    this.turns = new WorkTurns(surroundings.nanos());
    this.reads = new ReadBudget(memory, later);
    this.copies = new CopyBudget(memory.ofCopies());
    this.guard = new PassGuard(surroundings.passes(), surroundings.clock());
    this.hedges = new HedgeRules(surroundings.meters());
    this.date.tick(surroundings.clock().millis());
  }

  /**
   * Time passes.
   *
   * @return whether another table is in force than at the last tick
   */
  public boolean tick() {
    now = surroundings.nanos().getAsLong();
    memory.tick(now);
    date.tick(surroundings.clock().millis());
    LiveTable table = surroundings.tables().current();
    if (table == seen) {
      return false;
    }
    seen = table;
    Set<String> ids = table.ids();
    budgets.keySet().retainAll(ids);
    hedges.retain(ids);
    guard.forget();
    return true;
  }

  /** The ports at which connections come in for services of the table. */
  public TcpPorts ports() {
    return surroundings.tables().ports();
  }

  /** The table that a new request is routed by. */
  public LiveTable table() {
    return surroundings.tables().current();
  }

  /** Which of the event loops this is, from 0. */
  public int number() {
    return number;
  }

  /** Says that a request has begun to wait for an endpoint. */
  void tellHeld() {
    surroundings.tables().tellHeld();
  }

  /** From now on every answer over HTTP/1.1 ends its connection. */
  public void leave() {
    leaving = true;
  }

  public boolean leaving() {
    return leaving;
  }

  /**
   * Lets a request in, or does not.
   *
   * @param owner whose host was asked for
   * @param connection at which it came
   */
  public Admission admit(
      LiveTable table,
      ServiceState owner,
      RequestFacts facts,
      MemoryBudget.@Nullable Connection connection) {
    if (memory.full()) {
      return new TurnedAway(Refusal.OVER_MEMORY, RouterProblem.overMemory());
    }
    if (connection != null && connection.full()) {
      return new TurnedAway(Refusal.OVER_MEMORY, RouterProblem.overOwnMemory());
    }
    Limits.Rate rate = owner.limits().rate();
    if (rate != null) {
      String network = facts.client().network();
      // Other layers are those of one router, whose services may have these names elsewhere.
      boolean isShared = owner.service().layer() == RouteLayer.STUDIO;
      long wait =
          surroundings
              .rates()
              .take(owner.id(), network, rate.keyOf(facts), rate, isShared, nanos());
      if (wait > 0) {
        return new TurnedAway(Refusal.OVER_RATE, RouterProblem.overRate(rate, wait));
      }
    }
    ServiceState target = owner.divided() ? table.states().get(drawn(owner, facts)) : owner;
    Limits limits = target.limits();
    Priorities priorities = limits.priorities();
    int most = priorities == null ? limits.requests() : priorities.most(facts, limits.requests());
    if (enter(target, facts, most)) {
      return new Admitted(target);
    }
    return most < limits.requests()
        ? new TurnedAway(Refusal.SHED, RouterProblem.shed(target.id(), most))
        : new TurnedAway(Refusal.OVER_REQUESTS, RouterProblem.overRequests(target.id()));
  }

  private boolean enter(ServiceState target, RequestFacts facts, int most) {
    int reserve = Reserve.of(most);
    return target.enter(number, most - reserve)
        || (reserve > 0
            && hasFew(facts.client().network(), target, share(reserve))
            && target.enter(number, most));
  }

  /** Adds a way of the router whose requests count. */
  public void counts(RequestCount count) {
    counts.add(count);
  }

  /**
   * Whether a client has at most so many requests under way here. Goes through all requests: asked
   * only when three quarters of a limit are in use.
   *
   * @param network by which clients are told apart
   */
  public boolean hasFew(String network, ServiceState version, int most) {
    return counts.stream().mapToInt(count -> count.of(network, version.id())).sum() <= most;
  }

  /** The place of who gets this one of the requests that are divided. */
  private int drawn(ServiceState owner, RequestFacts facts) {
    Split split = owner.split();
    RequestKey sticky = owner.service().sticky();
    String key = sticky == null ? null : sticky.of(facts);
    return key == null ? split.pick(random.nextDouble()) : split.pick(key);
  }

  /** The exact time; only goes forward. */
  public long nanos() {
    return surroundings.nanos().getAsLong();
  }

  /** The time of the last tick: cheap, and exact to a twentieth of a second. */
  public long now() {
    return now;
  }

  /** The Date of answers that have none. */
  public DateField date() {
    return date;
  }

  public RandomGenerator random() {
    return random;
  }

  public Picker picker() {
    return picker;
  }

  public Meters meters() {
    return surroundings.meters();
  }

  /** The guard of services whose requests need a pass. */
  public PassGuard guard() {
    return guard;
  }

  /** The time of day. */
  public Clock clock() {
    return surroundings.clock();
  }

  /** What clients may make this loop hold. */
  public MemoryBudget memory() {
    return memory;
  }

  /** The turns of what takes long. */
  public WorkTurns turns() {
    return turns;
  }

  /** The budget of what is read in a turn. */
  public ReadBudget reads() {
    return reads;
  }

  /** The slowest that the body of a request may come; null for any. */
  public @Nullable UploadRate uploadRate() {
    return surroundings.limits().upload();
  }

  /** What copies of requests may take. */
  public CopyBudget copies() {
    return copies;
  }

  /** The part of a limit that is this loop's, at least one. */
  public int share(int limit) {
    return limit == 0 ? 0 : Math.max(1, limit / loops);
  }

  /** What a service may spend on retries. */
  public AttemptBudget budget(ServiceState state) {
    AttemptBudget budget = budgets.get(state.id());
    if (budget == null) {
      budget = AttemptBudget.ofRetries(now);
      budgets.put(state.id(), budget);
    }
    return budget;
  }

  /**
   * A request begins that may be sent to a second endpoint as well; null when it may not.
   *
   * @param owner whose host was asked for
   * @param target who is to answer
   */
  public @Nullable HedgeRule beginHedged(ServiceState owner, ServiceState target) {
    Hedge hedge = target.service().hedge();
    if (hedge == null) {
      return null;
    }
    HedgeRule rule = hedges.of(owner.id(), target.id(), hedge, now);
    rule.deposit();
    return rule;
  }

  /** Whether a request is to be written down when it is over. */
  public boolean logs() {
    AccessLog log = surroundings.accessLog();
    return log != null && log.samples(random);
  }

  /**
   * Writes a request down that {@link #logs} chose.
   *
   * @param took nanoseconds
   */
  public void log(
      String client,
      String method,
      String authority,
      String path,
      int status,
      long took,
      ServiceState owner,
      String version,
      @Nullable String endpoint,
      int attempts) {
    AccessLog log = surroundings.accessLog();
    if (log != null) {
      log.add(
          new AccessLog.Entry(
              surroundings.clock().now().minusNanos(took).toString(),
              client,
              method,
              authority,
              path,
              status,
              took / 1e9,
              owner.id(),
              version,
              endpoint,
              attempts));
    }
  }
}
