package io.orrery.orchestrator.platform.remote;

import io.orrery.core.time.Clock;
import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.platform.Keepers;
import io.orrery.orchestrator.platform.Keepers.State;
import io.orrery.orchestrator.platform.PlatformEvent;
import io.orrery.orchestrator.platform.PlatformListener;
import io.orrery.orchestrator.platform.remote.Machine.Seat;
import io.orrery.orchestrator.platform.remote.RemoteFiles.End;
import io.orrery.orchestrator.platform.remote.RemoteFiles.Place;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of one attempt, told from its beginning to its end by one virtual thread: it looks for a
 * place, is started there, is waited for, and is cleared away. What its keeper says and what others
 * want arrives as signals; what the machine says is asked when nothing was heard for a tick.
 *
 * <p>Before anything that others feel it is asked whether this server may still act for the
 * experiment: what one that stood still had begun ends here, and goes on elsewhere.
 */
final class RemoteAttempt implements Keepers.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteAttempt.class);
  private static final long ANSWER_SECONDS = 600;
  private static final int KEEPERS_OWN = 128;
  private static final int MOST_YOUNG_LOOKS = 12;
  private static final String KEEPER_ENDED = "its keeper ended";
  private static final String NEVER = "canceled before it started";

  /** What all attempts have from their service. */
  record Company(
      Keepers keepers,
      RemoteFiles files,
      Places places,
      Clock clock,
      Patience patience,
      PlatformListener listener) {}

  private enum Signal {
    STARTED,
    ENDED,
    CANCELED,
    STIRRED
  }

  private final AttemptRef ref;
  private final Company company;
  private final List<Places.Candidate> candidates;
  private final Duration awayLimit;
  private final @Nullable Order order;
  private final Consumer<RemoteAttempt> leaving;
  private final BlockingQueue<Signal> signals = new LinkedBlockingQueue<>();
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private volatile @Nullable Seat seat;
  private volatile Places.@Nullable Search search;
  private volatile boolean canceled;
  private volatile boolean withdrawn;
  private volatile boolean abandoned;
  private volatile boolean launching;
  private volatile @Nullable Instant startedAt;
  private volatile State.@Nullable Ended ended;
  private @Nullable String saidAway;
  private boolean saidStarted;

  /** Whether it may have been started where it sits. */
  private boolean tried;

  private Instant launchedAt;
  private int youngLooks;

  /**
   * @param seat where it is already; null when it has no place
   * @param order null when it is only to be ended
   * @param leaving told before its end is, so that who hears of that may submit it again
   */
  RemoteAttempt(
      AttemptRef ref,
      Company company,
      List<Places.Candidate> candidates,
      Duration awayLimit,
      @Nullable Seat seat,
      @Nullable Order order,
      Consumer<RemoteAttempt> leaving) {
    this.ref = ref;
    this.company = company;
    this.candidates = candidates;
    this.awayLimit = awayLimit;
    this.seat = seat;
    this.tried = seat != null;
    this.order = order;
    this.leaving = leaving;
    this.launchedAt = company.clock().now();
  }

  AttemptRef ref() {
    return ref;
  }

  /** Completes when nothing more will be told of it. */
  CompletableFuture<Void> over() {
    return over;
  }

  // ---- what others say -----------------------------------------------------------------------

  @Override
  public void started(AttemptRef attempt, String keeper, boolean primary, Instant at) {
    startedAt = startedAt == null ? at : startedAt;
    signals.add(Signal.STARTED);
  }

  @Override
  public void ended(AttemptRef attempt, String keeper, State.Ended end) {
    ended = end;
    signals.add(Signal.ENDED);
  }

  @Override
  public void noted(AttemptRef attempt, String note) {
    tell(new PlatformEvent.Noted(ref, note));
  }

  @Override
  public void silent(AttemptRef attempt, String keeper, Duration since) {
    // The machine is asked how it is, once a tick.
    signals.add(Signal.STIRRED);
  }

  /** It is to end; {@link #over} completes later. To be called when its keeper has been told. */
  void cancel() {
    canceled = true;
    stir();
    signals.add(Signal.CANCELED);
    Places.Search looking = search;
    if (looking != null) {
      looking.close();
    }
  }

  /** Takes it back if it has no place yet; whether it had none. */
  boolean withdraw() {
    synchronized (this) {
      if (launching || seat != null) {
        return false;
      }
      withdrawn = true;
    }
    Places.Search looking = search;
    if (looking != null) {
      looking.close();
    }
    return true;
  }

  /** Another server looks after it now: it goes on, and nothing more is done or told here. */
  void abandon() {
    Seat place;
    synchronized (this) {
      if (abandoned) {
        return;
      }
      abandoned = true;
      place = seat;
    }
    company.keepers().forget(ref);
    leaving.accept(this);
    if (place != null) {
      leave(place);
    }
    stir();
    Places.Search looking = search;
    if (looking != null) {
      looking.close();
    }
    over.complete(null);
  }

  private boolean isOurs() {
    return !abandoned && company.keepers().mayAct(ref.trial().experiment());
  }

  private void mustBeOurs() throws Elsewhere {
    if (!isOurs()) {
      throw new Elsewhere();
    }
  }

  /** Something may have changed about its machine, or one that it waits for. */
  void stir() {
    Places.Search looking = search;
    if (looking != null) {
      looking.stir();
    }
    signals.add(Signal.STIRRED);
  }

  /** Whether it has to do with a machine. */
  boolean concerns(Machine machine) {
    Seat place = seat;
    return place == null || place.machine() == machine;
  }

  // ---- its life ------------------------------------------------------------------------------

  /**
   * Lives it; blocks until it is over here, or until the thread is interrupted: then it goes on
   * alone.
   */
  void live() throws InterruptedException {
    try {
      liveHere();
    } catch (Elsewhere taken) {
      abandon();
    }
  }

  private void liveHere() throws InterruptedException, Elsewhere {
    boolean launched = false;
    while (!launched) {
      Seat place = seat == null ? find() : seat;
      if (place == null) {
        mustBeOurs();
        if (withdrawn) {
          company.keepers().forget(ref);
          leaving.accept(this);
        } else {
          neverStarted();
        }
        over.complete(null);
        return;
      }
      launched = launch(place);
    }
    Seat place = Objects.requireNonNull(seat);
    String reason = awaitEnd(place);
    clear(place, reason);
    over.complete(null);
  }

  private @Nullable Seat find() throws InterruptedException, Elsewhere {
    Places.Search looking =
        company.places().search(ref, candidates, why -> tell(new PlatformEvent.Waiting(ref, why)));
    search = looking;
    if (canceled || withdrawn || abandoned) {
      looking.close();
    }
    Seat found = looking.await(company.patience().tick());
    search = null;
    synchronized (this) {
      if (found != null && (canceled || withdrawn || abandoned)) {
        leave(found);
        return null;
      }
      seat = found;
    }
    return found == null ? null : settle(found);
  }

  /** Where it sits from now on: there, unless the owner before has just placed it elsewhere. */
  private Seat settle(Seat found) throws Elsewhere {
    mustBeOurs();
    Place wanted = new Place(found.machine().name(), found.grant(), null);
    Seat given = Seat.of(candidates, company.files().take(ref, wanted));
    if (given == null || given.equals(found)) {
      return found;
    }
    leave(found);
    synchronized (this) {
      mustBeOurs();
      given.machine().seats().put(ref, given);
      seat = given;
    }
    // By him, perhaps.
    tried = true;
    return given;
  }

  /**
   * Starts it, or finds it started. Without an answer it is tried again on the same machine, where
   * a second start does nothing.
   *
   * @return false when it is certain that it has not started, and it has left the place
   */
  private boolean launch(Seat place) throws InterruptedException, Elsewhere {
    launching = true;
    while (order != null && !canceled && ended == null && startedAt == null) {
      mustBeOurs();
      Site site = place.machine().site();
      try {
        if (site == null) {
          throw Unreachable.passing(String.valueOf(place.machine().trouble()));
        }
        start(place, site, order);
        launchedAt = company.clock().now();
        saidAway = null;
        return true;
      } catch (Unstarted e) {
        LOG.warn("{} was not started on {}: {}", ref, place.machine().name(), e.why());
        place.machine().setAside(e.why());
        giveBack(place);
        return false;
      } catch (Unreachable e) {
        if (!tried) {
          giveBack(place);
          return false;
        }
        if (isGivenUp(place)) {
          return true;
        }
        away(place, e.why());
        signals.poll(company.patience().tick().toMillis(), TimeUnit.MILLISECONDS);
      }
    }
    return true;
  }

  /** It has certainly not started there, and may go elsewhere. */
  private void giveBack(Seat place) throws Elsewhere {
    mustBeOurs();
    company.files().forget(ref);
    leave(place);
    synchronized (this) {
      seat = null;
      launching = false;
      tried = false;
    }
  }

  private void start(Seat place, Site site, Order what)
      throws Unreachable, Unstarted, InterruptedException {
    String experiment = ref.trial().experiment().value();
    if (!what.isCodeShared()) {
      place.machine().bring(site, what.code().digest(), experiment, what.launch().token());
    }
    tried = true;
    run(site).start(place, what);
  }

  private Run run(Site site) {
    return new Run(site, ref, company.patience());
  }

  /** Waits for its end; why it is over although its keeper has not said so, else null. */
  private @Nullable String awaitEnd(Seat place) throws InterruptedException, Elsewhere {
    Instant forced = null;
    while (true) {
      mustBeOurs();
      sayStarted(startedAt);
      if (ended != null) {
        return null;
      }
      if (canceled) {
        Instant now = company.clock().now();
        forced = forced == null ? now.plus(company.patience().farewell()) : forced;
        if (startedAt == null) {
          return NEVER;
        }
        if (!now.isBefore(forced)) {
          return "its keeper did not end, and was killed";
        }
      }
      if (isGivenUp(place)) {
        await(company.keepers().cancel(ref));
        return place.machine().name()
            + " has been away for "
            + awayLimit.toSeconds()
            + " s (it "
            + place.machine().trouble()
            + "), and the trial was given up";
      }
      Signal heard = signals.poll(company.patience().tick().toMillis(), TimeUnit.MILLISECONDS);
      String lost = heard == null || heard == Signal.STIRRED ? look(place) : null;
      if (lost != null) {
        return lost;
      }
    }
  }

  private void sayStarted(@Nullable Instant at) {
    if (at != null && !saidStarted) {
      saidStarted = true;
      tell(new PlatformEvent.Started(ref, at, company.keepers().storageUrl(ref)));
    }
  }

  /** Asks the machine how it is; why it is over although its keeper has not said so, else null. */
  private @Nullable String look(Seat place) throws InterruptedException {
    Site site = place.machine().site();
    if (site == null) {
      away(place, String.valueOf(place.machine().trouble()));
      return null;
    }
    try {
      String word = place.machine().word(ref, site, launchedAt);
      back();
      if ("young".equals(word) && startedAt == null && ++youngLooks >= MOST_YOUNG_LOOKS) {
        return "its wrapper did not begin on " + place.machine().name();
      }
      boolean gone = word == null || word.equals("over") || word.equals("dead");
      if (!gone || ended != null) {
        return null;
      }
      // Its last word is stored before it ends, and may still be on its way to here.
      State.Ended end = State.end(await(company.keepers().states(ref))).orElse(null);
      if (end != null) {
        ended = end;
        return null;
      }
      return switch (word) {
        case null -> "its directory on " + place.machine().name() + " is gone";
        case "dead" ->
            "its keeper was lost: "
                + place.machine().name()
                + " was restarted, or somebody has killed it";
        default -> KEEPER_ENDED;
      };
    } catch (Unreachable e) {
      away(place, e.why());
      return null;
    }
  }

  private boolean isGivenUp(Seat place) {
    Instant since = place.machine().awaySince();
    return since != null && !company.clock().now().isBefore(since.plus(awayLimit));
  }

  private void away(Seat place, String why) {
    if (why.equals(saidAway)) {
      return;
    }
    saidAway = why;
    String words = place.machine().name() + " " + why;
    tell(
        startedAt == null
            ? new PlatformEvent.Waiting(ref, words)
            : new PlatformEvent.Unreachable(
                ref, words + "; the trial may go on there, and is waited for"));
  }

  private void back() {
    Instant at = startedAt;
    if (saidAway != null && at != null) {
      tell(new PlatformEvent.Started(ref, at, company.keepers().storageUrl(ref)));
    }
    saidAway = null;
  }

  // ---- its end -------------------------------------------------------------------------------

  /** Ends what is left of it, removes its directory, and tells its end. */
  private void clear(Seat place, @Nullable String why) throws InterruptedException, Elsewhere {
    if (ended != null) {
      if (startedAt != null) {
        tell(new PlatformEvent.Vacated(ref));
      }
      leave(place);
    }
    Map<String, String> found = Map.of();
    while (true) {
      mustBeOurs();
      Site site = place.machine().site();
      try {
        if (site == null) {
          throw Unreachable.passing(String.valueOf(place.machine().trouble()));
        }
        boolean peacefully = ended != null || KEEPER_ENDED.equals(why);
        found = run(site).end(peacefully ? company.patience().grace() : Duration.ZERO);
        break;
      } catch (Unreachable e) {
        // Its tree is over when its keeper says so; what is left there is removed at the next
        // arrival.
        if (ended != null || isGivenUp(place)) {
          break;
        }
        away(place, e.why());
        signals.poll(company.patience().tick().toMillis(), TimeUnit.MILLISECONDS);
      }
    }
    leave(place);
    finish(told(why, found));
  }

  private End told(@Nullable String why, Map<String, String> found) throws InterruptedException {
    State.Ended end = ended;
    if (end == null) {
      // One that was told to end from outside may have had its say meanwhile.
      end = State.end(await(company.keepers().states(ref))).orElse(null);
    }
    if (end != null) {
      Instant at = startedAt;
      return new End(at == null ? end.at() : at, end.exitCode(), end.at(), end.reason());
    }
    Instant now = company.clock().now();
    if (startedAt == null && canceled) {
      return new End(null, null, now, NEVER);
    }
    String state = found.getOrDefault("state", "");
    String log = found.getOrDefault("log", "");
    // Above it is how the keeper itself was killed, which says nothing of the command.
    Integer code =
        startedAt != null && state.matches("\\d{1,3}") && Integer.parseInt(state) <= KEEPERS_OWN
            ? Integer.valueOf(state)
            : null;
    String reason = why == null ? KEEPER_ENDED : why;
    return new End(startedAt, code, now, log.isEmpty() ? reason : reason + ": " + log);
  }

  private void neverStarted() throws Elsewhere {
    finish(new End(null, null, company.clock().now(), NEVER));
  }

  private void finish(End end) throws Elsewhere {
    mustBeOurs();
    Seat place = seat;
    company
        .files()
        .place(
            ref,
            new Place(
                place == null ? "" : place.machine().name(),
                place == null ? null : place.grant(),
                end));
    company.keepers().over(ref);
    leaving.accept(this);
    sayStarted(end.startedAt());
    tell(new PlatformEvent.Ended(ref, end.exitCode(), end.at(), end.reason()));
  }

  private void leave(Seat place) {
    if (place.machine().seats().remove(ref, place)) {
      place.machine().gpus().release(ref);
    }
  }

  private void tell(PlatformEvent event) {
    if (isOurs()) {
      company.listener().happened(event);
    }
  }

  private static <T> T await(Future<T> future) throws InterruptedException {
    try {
      return future.await(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException("the keepers did not answer", e);
    }
  }
}
