package io.orrery.compute.local;

import io.orrery.compute.local.LocalFacts.Canceled;
import io.orrery.compute.local.LocalFacts.Claimed;
import io.orrery.compute.local.LocalFacts.Remains;
import io.orrery.compute.local.LocalFacts.Removed;
import io.orrery.compute.local.LocalFacts.Request;
import io.orrery.compute.local.LocalFacts.Unclaimed;
import io.orrery.compute.local.LocalFacts.Unsigned;
import io.orrery.compute.local.LocalFacts.WrapperProcess;
import io.orrery.compute.local.LocalState.Draining;
import io.orrery.compute.local.LocalState.Reason;
import io.orrery.compute.local.LocalState.Running;
import io.orrery.compute.local.LocalState.Terminating;
import io.orrery.compute.local.LocalState.Waiting;
import io.orrery.compute.process.LaunchClaims.Free;
import io.orrery.compute.process.LaunchClaims.Taken;
import io.orrery.compute.process.WrapperDirectory;
import io.orrery.compute.service.PlatformEvent.Ended;
import io.orrery.core.id.AttemptRef;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The life of an attempt on this machine: what follows from its state and from all that is known of
 * it now. Pure; {@link LocalAttempt} gathers the facts and acts.
 */
final class LocalLife {
  private static final String NEVER = "canceled before it started";
  private static final Reason UNABLE =
      new Reason("its wrapper could not run; stderr may say why", false);

  private final AttemptRef ref;
  private final Path directory;
  private final Duration grace;

  /**
   * @param directory of the attempt
   * @param grace how long a process may take to end after SIGTERM before it is killed
   */
  LocalLife(AttemptRef ref, Path directory, Duration grace) {
    this.ref = ref;
    this.directory = directory;
    this.grace = grace;
  }

  /** An action that follows. */
  sealed interface Action {}

  /** Tells that the command runs. */
  record TellStarted(Instant at) implements Action {}

  /** Tells that no process of the attempt is left. */
  record TellVacated() implements Action {}

  /** Looks for event files of TensorBoard that were begun. */
  record FindEventFiles() implements Action {}

  /** Reads reports, and brings the parameter sets that they ask for. */
  record Answer() implements Action {}

  /** Reads reports of an attempt that is being ended. */
  record ReadOn() implements Action {}

  /** Looks again at once. */
  record LookAgain() implements Action {}

  /** Looks again in a moment. */
  record LookSoon() implements Action {}

  /** Claims the attempt, so that no wrapper ever runs it; {@link #claimed} follows. */
  record Claim(Free free) implements Action {}

  /** Kills the wrapper that this server has launched too late. */
  record KillWrapper() implements Action {}

  /**
   * Looks for a process that carries the mark of the attempt; {@link #conclude} follows with its
   * wrapper, or {@link #end} when there is none.
   */
  record Search() implements Action {}

  /** Looks whether a wrapper lives that has not written its process; {@link #checked} follows. */
  record CheckUnsigned() implements Action {}

  /** Ends the processes of the attempt, or goes on ending them; {@link #terminated} follows. */
  record Terminate(Terminating ending, Duration grace) implements Action {}

  /** Reads the last reports; {@link #end} follows once all are durable. */
  record Finish() implements Action {}

  /** Tells the end. */
  record End(Ended ended) implements Action {}

  /**
   * A conclusion.
   *
   * @param state the state from now on
   * @param actions in their order
   */
  record Next(LocalState state, List<Action> actions) {
    Next {
      actions = List.copyOf(actions);
    }

    private static Next of(LocalState state, Action... actions) {
      return new Next(state, List.of(actions));
    }
  }

  /** Concludes what follows for an attempt that is launched and not over. */
  Next conclude(LocalState state, LocalFacts facts, Instant now) {
    return switch (facts.sight()) {
      case Unclaimed(Free free, boolean starting) ->
          starting && !facts.request().wanted() ? Next.of(state) : Next.of(state, new Claim(free));
      case Unsigned _ -> facts.tick() ? Next.of(state, new CheckUnsigned()) : Next.of(state);
      case Canceled(boolean late) ->
          late ? Next.of(state, new KillWrapper()) : over(state, why(state, facts, NEVER), now);
      case Removed _ ->
          facts.tick() || facts.request().wanted() ? Next.of(state, new Search()) : Next.of(state);
      case Claimed claimed -> held(state, claimed, facts);
    };
  }

  /**
   * Concludes what follows from the claim of this server.
   *
   * @param won whether no wrapper had claimed the attempt before
   */
  Next claimed(LocalState state, LocalFacts facts, boolean won) {
    LocalState next = won && !facts.request().wanted() ? state.with(UNABLE) : state;
    return Next.of(next, new LookAgain());
  }

  /**
   * Concludes what follows when a wrapper has claimed the attempt and written nothing.
   *
   * @param lives whether it lives, or has written its process meanwhile
   */
  Next checked(LocalState state, boolean lives, Instant now) {
    return lives
        ? Next.of(state)
        : over(state, "its wrapper was killed before it ran the command", now);
  }

  /**
   * Concludes what follows from the termination.
   *
   * @param done whether no process of the attempt is left
   */
  Next terminated(LocalState state, boolean done) {
    return done ? vacated(state) : Next.of(state, new ReadOn());
  }

  private Next over(LocalState state, String why, Instant now) {
    return Next.of(state, new End(new Ended(ref, null, now, why)));
  }

  // ---- while a wrapper holds the claim -------------------------------------------------------

  private Next held(LocalState state, Claimed claimed, LocalFacts facts) {
    List<Action> actions = new ArrayList<>();
    Taken wrapper = claimed.wrapper();
    LocalState next = state;
    if (state.stage() instanceof Waiting) {
      actions.add(new TellStarted(wrapper.at().toInstant()));
      next = next.with(new Running(wrapper, false));
    }
    if (claimed.excess() != null) {
      next = next.with(claimed.excess());
    }
    Next after = staged(next, claimed, facts);
    // At its end they are looked for in any case, after it was told that its processes are gone.
    if (facts.tick() && !after.actions().contains(new FindEventFiles())) {
      actions.add(new FindEventFiles());
    }
    actions.addAll(after.actions());
    return new Next(after.state(), actions);
  }

  private Next staged(LocalState state, Claimed claimed, LocalFacts facts) {
    return switch (state.stage()) {
      case Waiting _ -> throw new IllegalStateException("not started: " + ref);
      case Running running -> running(state, running, claimed, facts);
      case Terminating ending -> terminating(state, ending);
      case Draining _ -> Next.of(state, new Finish());
    };
  }

  private Next running(LocalState state, Running running, Claimed claimed, LocalFacts facts) {
    boolean alive =
        claimed.process() == WrapperProcess.ALIVE
            || claimed.process() == WrapperProcess.ABOUT_TO_END;
    boolean seen = running.seen() || alive;
    LocalState next = state.with(new Running(running.wrapper(), seen));
    boolean wanted = facts.request().wanted() || state.reason() != null;
    if (alive && !wanted) {
      // This server does not hear of the end of a wrapper that another server has launched.
      boolean soon = !claimed.own() && claimed.process() == WrapperProcess.ABOUT_TO_END;
      return soon ? Next.of(next, new Answer(), new LookSoon()) : Next.of(next, new Answer());
    }
    boolean terminable = !running.wrapper().isOfAnotherBoot();
    return terminable && (wanted || claimed.process() == WrapperProcess.LEFT_GROUP)
        ? terminating(next, new Terminating(running.wrapper(), seen || claimed.own()))
        : vacated(next);
  }

  private Next terminating(LocalState state, Terminating ending) {
    Duration patience = state.isHurried() ? Duration.ZERO : grace;
    return Next.of(state.with(ending), new Terminate(ending, patience));
  }

  /** Told first: the search for event files may fail, and the state has changed by then. */
  private static Next vacated(LocalState state) {
    Taken wrapper = Objects.requireNonNull(state.wrapper(), "a wrapper holds the claim");
    return Next.of(
        state.with(new Draining(wrapper)), new TellVacated(), new FindEventFiles(), new Finish());
  }

  // ---- how it ended --------------------------------------------------------------------------

  /** Concludes how it ended, once no process is left and all reports are durable. */
  Next end(LocalState state, Request request, Remains remains, Instant now) {
    WrapperDirectory.State written = remains.written();
    String excess = reason(state, request);
    String lost = written == null ? lost(state, remains) : null;
    String killed = state.isHurried() ? null : remains.killed();
    String reason =
        Stream.concat(
                Stream.of(excess, lost, killed).filter(Objects::nonNull),
                remains.complaints().stream())
            .collect(Collectors.joining("; "));
    Integer code = written == null ? null : Integer.valueOf(written.exitCode());
    if (excess != null && code != null && code == 0) {
      // An attempt that was ended for its excess and answers SIGTERM with exit code 0 has failed.
      code = null;
    }
    return Next.of(
        state,
        new End(
            new Ended(
                ref,
                code,
                written == null ? now : Instant.ofEpochMilli(written.at()),
                reason.isEmpty() ? null : reason,
                remains.use())));
  }

  private static String why(LocalState state, LocalFacts facts, String otherwise) {
    return Objects.requireNonNullElse(reason(state, facts.request()), otherwise);
  }

  private static @Nullable String reason(LocalState state, Request request) {
    return state.reason() == null ? request.why() : state.reason().words();
  }

  /** Why there is no exit code. */
  private String lost(LocalState state, Remains remains) {
    Taken wrapper = state.wrapper();
    if (wrapper != null && wrapper.isOfAnotherBoot()) {
      return "the machine was started again while it ran, so the exit code is not known";
    }
    return remains.directory()
        ? "its wrapper ended and left no exit code"
        : "its directory " + directory + " was removed while it ran, and with it the exit code";
  }
}
