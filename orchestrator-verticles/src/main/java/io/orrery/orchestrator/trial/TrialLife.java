package io.orrery.orchestrator.trial;

import static io.orrery.orchestrator.trial.TrialLife.Phase.PLANNED;
import static io.orrery.orchestrator.trial.TrialLife.Phase.RUNNING;
import static io.orrery.orchestrator.trial.TrialLife.Phase.SETTLED;
import static io.orrery.orchestrator.trial.TrialLife.Phase.SETTLING;
import static io.orrery.orchestrator.trial.TrialLife.Phase.SUBMITTED;
import static io.orrery.orchestrator.trial.TrialLife.Phase.VACATED;
import static io.orrery.orchestrator.trial.TrialLife.Signal.ABANDON;
import static io.orrery.orchestrator.trial.TrialLife.Signal.AGAIN;
import static io.orrery.orchestrator.trial.TrialLife.Signal.DEFER;
import static io.orrery.orchestrator.trial.TrialLife.Signal.END;
import static io.orrery.orchestrator.trial.TrialLife.Signal.SETTLE;
import static io.orrery.orchestrator.trial.TrialLife.Signal.START;
import static io.orrery.orchestrator.trial.TrialLife.Signal.SUBMIT;
import static io.orrery.orchestrator.trial.TrialLife.Signal.VACATE;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The life of a trial as a table: what may follow what. A signal that the table does not have in a
 * phase changes nothing (a platform may repeat itself).
 *
 * <p>Phases are finer than the status that the outside sees, because a restart must know how far a
 * trial had come: {@code PLANNED} is a durable intent, so the trial may be launched without another
 * write; one that is {@code VACATED} occupies no slot any more, but is not known to its end.
 */
public final class TrialLife {
  /** The phase of a trial. */
  public enum Phase {
    /** Its parameters are stored; it may start as soon as there is a slot. */
    PLANNED,
    /** Handed to the platform. After a crash this looks like PLANNED: the platform is asked. */
    SUBMITTED,
    RUNNING,
    /** Its processes are gone, and its slot is free; the platform still reads what it reported. */
    VACATED,
    /** Its reports are all in, its result is being looked up. */
    SETTLING,
    /** Status and metric are final. */
    SETTLED;

    /** Whether it occupies a slot of the experiment. */
    public boolean inFlight() {
      return this == SUBMITTED || this == RUNNING;
    }
  }

  /** A signal that moves a trial to its next phase. */
  public enum Signal {
    /** A slot is free. */
    SUBMIT,
    /** The platform has no room now. */
    DEFER,
    /** Its process runs. */
    START,
    /** Its processes are gone. */
    VACATE,
    /** Its process is over and its reports are in; or it was never started, or was lost. */
    END,
    /** Its result is known. */
    SETTLE,
    /** It gets another attempt, by policy or because a user asked. */
    AGAIN,
    /** It was ended before it started. */
    ABANDON
  }

  /** A row of the table. */
  public record Transition(Phase from, Signal signal, Phase to) {}

  public static final List<Transition> TABLE =
      List.of(
          new Transition(PLANNED, SUBMIT, SUBMITTED),
          new Transition(PLANNED, ABANDON, SETTLED),
          new Transition(SUBMITTED, DEFER, PLANNED),
          new Transition(SUBMITTED, START, RUNNING),
          new Transition(SUBMITTED, VACATE, VACATED),
          new Transition(SUBMITTED, END, SETTLING),
          new Transition(RUNNING, VACATE, VACATED),
          new Transition(RUNNING, END, SETTLING),
          new Transition(VACATED, END, SETTLING),
          new Transition(SETTLING, SETTLE, SETTLED),
          new Transition(SETTLING, AGAIN, PLANNED),
          new Transition(SETTLED, AGAIN, PLANNED));

  private TrialLife() {}

  /** The phase after a signal; empty when the signal means nothing in this phase. */
  public static Optional<Phase> next(Phase from, Signal signal) {
    for (Transition t : TABLE) {
      if (t.from() == from && t.signal() == signal) {
        return Optional.of(t.to());
      }
    }
    return Optional.empty();
  }

  /** The table as a Mermaid state diagram, for the documentation. */
  public static String diagram() {
    StringBuilder text = new StringBuilder("stateDiagram-v2\n    [*] --> PLANNED\n");
    for (Transition t : TABLE) {
      text.append(
          "    %s --> %s: %s\n"
              .formatted(t.from(), t.to(), t.signal().name().toLowerCase(Locale.ROOT)));
    }
    return text.append("    SETTLED --> [*]\n").toString();
  }
}
