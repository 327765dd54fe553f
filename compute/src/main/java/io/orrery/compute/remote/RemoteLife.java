package io.orrery.compute.remote;

import io.orrery.compute.remote.LivenessProbe.Sight;
import io.orrery.compute.remote.RemoteFacts.Keeper;
import io.orrery.compute.remote.RemoteFacts.Launch;
import io.orrery.compute.remote.RemoteFacts.Launched;
import io.orrery.compute.remote.RemoteFacts.Refused;
import io.orrery.compute.remote.RemoteFacts.Unanswered;
import io.orrery.compute.remote.RemoteFiles.End;
import io.orrery.compute.remote.RemoteState.Clearing;
import io.orrery.compute.remote.RemoteState.Following;
import io.orrery.compute.remote.RemoteState.Seeking;
import io.orrery.compute.remote.RemoteState.Starting;
import io.orrery.compute.service.Keepers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The life of an attempt on a machine: what follows from its state and from all that is known of it
 * now. Pure; {@link RemoteAttempt} gathers the facts and acts.
 */
final class RemoteLife {
  private static final String KEEPER_ENDED = "its keeper ended";
  private static final String NEVER = "canceled before it started";

  /** The exit code of what failed for certain and never ran. */
  private static final int NEVER_RAN = 1;

  private final Duration farewell;
  private final Duration grace;

  /**
   * @param farewell for a keeper that was told to end, before its processes are ended from outside
   * @param grace for a wrapper to end after its keeper
   */
  RemoteLife(Duration farewell, Duration grace) {
    this.farewell = farewell;
    this.grace = grace;
  }

  /** An action that follows. */
  sealed interface Action {}

  /** Looks for a place; {@link #placed} follows. */
  record Seek() implements Action {}

  /** Starts it in its place; {@link #launched} follows. */
  record Start() implements Action {}

  /** Leaves the place, where it has certainly not started. */
  record GiveBack() implements Action {}

  /** Places nothing on its machine for some time. */
  record SetAside(String why) implements Action {}

  /** Tells when the command began. */
  record TellStarted(Instant at) implements Action {}

  /** Tells that its processes are gone. */
  record TellVacated() implements Action {}

  /** Tells that its machine does not answer. */
  record TellAway(String why) implements Action {}

  /** Tells that its machine answers. */
  record TellBack() implements Action {}

  /** Waits until something is heard, or for a tick. */
  record Await() implements Action {}

  /** Waits likewise, and asks its machine when nothing else is heard; {@link #seen} follows. */
  record AwaitOrProbe() implements Action {}

  /**
   * Asks whether its keeper has told an end that is not known yet; {@link #heard} follows.
   *
   * @param why a clause that says how its process was lost; null when its wrapper ended as it
   *     should
   */
  record AskKeeper(@Nullable String why) implements Action {}

  /** Has its keeper start no command any more, and end the one that runs. */
  record CancelKeeper() implements Action {}

  /** Lets others have its place. */
  record Vacate() implements Action {}

  /** Ends what is left of it on its machine; {@link #cleared} or {@link #uncleared} follows. */
  record Clear(Clearing state, Duration patience) implements Action {}

  /** Waits for the last word of its keeper; {@link #end} follows. */
  record Finish(String why, Remains remains) implements Action {}

  /** Records and tells its end. */
  record Over(End end) implements Action {}

  /** Forgets it: it was taken back before it had a place. */
  record Forget() implements Action {}

  /**
   * A conclusion.
   *
   * @param state the state from now on
   * @param actions in their order; what follows from the last one may be another conclusion
   */
  record Next(RemoteState state, List<Action> actions) {
    Next {
      actions = List.copyOf(actions);
    }

    private static Next of(RemoteState state, Action... actions) {
      return new Next(state, List.of(actions));
    }
  }

  /** Concludes what follows for an attempt that is not over. */
  Next conclude(RemoteState state, RemoteFacts facts, Instant now) {
    return switch (state) {
      case Seeking _ -> Next.of(state, new Seek());
      case Starting _ -> {
        boolean wanted = facts.startable() && !facts.canceled();
        boolean told = facts.keeper().isStarted() || facts.keeper().isEnded();
        yield wanted && !told ? Next.of(state, new Start()) : Next.of(new Following(null));
      }
      case Following following -> following(following, facts, now);
      case Clearing clearing -> {
        boolean peaceful = facts.keeper().isEnded() || clearing.why() == null;
        yield Next.of(state, new Clear(clearing, peaceful ? grace : Duration.ZERO));
      }
    };
  }

  // ---- its start -----------------------------------------------------------------------------

  /**
   * Concludes what follows from the search for a place.
   *
   * @param found whether it has one
   * @param withdrawn whether it was taken back before
   */
  Next placed(boolean found, boolean withdrawn, Instant now) {
    if (found) {
      return Next.of(new Starting());
    }
    return Next.of(
        new Seeking(), withdrawn ? new Forget() : new Over(new End(null, null, now, NEVER)));
  }

  /**
   * Concludes what follows from an attempt to start it. Without an answer it is tried again on the
   * same machine, where a second start does nothing.
   */
  Next launched(RemoteFacts facts, Launch launch, Instant now) {
    return switch (launch) {
      case Launched _ -> Next.of(new Following(null));
      case Refused(String why, boolean own) when own ->
          Next.of(new Seeking(), new GiveBack(), new Over(new End(null, NEVER_RAN, now, why)));
      case Refused(String why, _) -> Next.of(new Seeking(), new SetAside(why), new GiveBack());
      case Unanswered _ when !facts.tried() -> Next.of(new Seeking(), new GiveBack());
      case Unanswered _ when facts.givenUp() != null -> Next.of(new Following(null));
      case Unanswered(String why) -> Next.of(new Starting(), new TellAway(why), new Await());
    };
  }

  // ---- while it is waited for ----------------------------------------------------------------

  private Next following(Following state, RemoteFacts facts, Instant now) {
    List<Action> actions = new ArrayList<>();
    Keeper keeper = facts.keeper();
    if (keeper.startedAt() != null) {
      actions.add(new TellStarted(keeper.startedAt()));
    }
    Instant forcedAt =
        facts.canceled()
            ? Objects.requireNonNullElse(state.forcedAt(), now.plus(farewell))
            : state.forcedAt();
    RemoteState next;
    if (keeper.isEnded()) {
      if (keeper.isStarted()) {
        actions.add(new TellVacated());
      }
      actions.add(new Vacate());
      next = new Clearing(null);
    } else if (facts.canceled() && !keeper.isStarted()) {
      next = new Clearing(NEVER);
    } else if (forcedAt != null && !now.isBefore(forcedAt)) {
      next = new Clearing("its keeper did not end, and was killed");
    } else if (facts.givenUp() != null) {
      actions.add(new CancelKeeper());
      next = new Clearing(facts.givenUp());
    } else {
      actions.add(new AwaitOrProbe());
      next = new Following(forcedAt);
    }
    return new Next(next, actions);
  }

  /** Concludes what follows from the account of its machine. */
  Next seen(RemoteState state, RemoteFacts facts, Sight sight) {
    return switch (sight) {
      case Sight.Away(String why) -> Next.of(state, new TellAway(why));
      case Sight.Alive() -> Next.of(state, new TellBack());
      case Sight.Stuck(String why) ->
          Next.of(facts.keeper().isStarted() ? state : new Clearing(why), new TellBack());
      case Sight.Over() -> Next.of(state, new TellBack(), new AskKeeper(null));
      case Sight.Lost(String why) -> Next.of(state, new TellBack(), new AskKeeper(why));
    };
  }

  /**
   * Concludes what follows when its process is gone and its keeper was asked for its end.
   *
   * @param told whether the keeper has told one
   * @param why a clause that says how the process was lost; null when its wrapper ended as it
   *     should
   */
  Next heard(RemoteState state, boolean told, @Nullable String why) {
    return Next.of(told ? state : new Clearing(why));
  }

  // ---- its end -------------------------------------------------------------------------------

  /** Concludes what follows when nothing of it is left on its machine. */
  Next cleared(Clearing state, Remains remains) {
    String why = Objects.requireNonNullElse(state.why(), KEEPER_ENDED);
    return Next.of(state, new Vacate(), new Finish(why, remains));
  }

  /**
   * Concludes what follows when its machine did not answer. Its processes are over when its keeper
   * says so, and what is left there is removed at the next arrival.
   *
   * @param away a clause about the machine
   */
  Next uncleared(Clearing state, RemoteFacts facts, String away) {
    return facts.keeper().isEnded() || facts.givenUp() != null
        ? cleared(state, Remains.NONE)
        : Next.of(state, new TellAway(away), new Await());
  }

  /**
   * Concludes how it ended: as its keeper tells it, or else as it looks from here.
   *
   * @param facts with the last word of its keeper
   */
  Next end(RemoteState state, RemoteFacts facts, Finish finish, Instant now) {
    Instant began = facts.keeper().startedAt();
    Keepers.State.Ended told = facts.keeper().ended();
    End end;
    if (told != null) {
      Instant start = Objects.requireNonNullElse(began, told.at());
      end = new End(start, told.exitCode(), told.at(), told.reason());
    } else if (began == null && facts.canceled()) {
      end = new End(null, null, now, NEVER);
    } else {
      Integer code = began == null ? null : finish.remains().exitCode();
      end = new End(began, code, now, finish.remains().explain(finish.why()));
    }
    return Next.of(state, new Over(end));
  }
}
