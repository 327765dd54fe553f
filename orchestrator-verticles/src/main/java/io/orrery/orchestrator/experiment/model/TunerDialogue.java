package io.orrery.orchestrator.experiment.model;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.id.AttemptRef;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The conversation with the tuner: which one it is, what it was asked, and what it is still to be
 * told. A tuner is a value of its past, so the remedy for anything that went wrong between us is to
 * open it anew, over the history as it is stored.
 */
final class TunerDialogue {
  private final Consumer<Decision> decide;

  /** Counts the tuners that were opened; an answer of an earlier one is dropped. */
  private int tuner;

  private boolean open;

  /** Results that came while the tuner was being opened: they may be too young for its replay. */
  private final List<Trials.Settled> untold = new ArrayList<>();

  private int aheadLimit;
  private int asked;
  private long nextNumber;

  /** The running attempt that the question is for; null when it is for plans. */
  private @Nullable AttemptRef askedFor;

  /** It gave less than it was asked for: it waits for a result. */
  private boolean starved;

  /** It gave less than it was asked for, and is at work on more. */
  private boolean thinking;

  private boolean exhausted;

  /** A result came after the question: the answer may not know of it. */
  private boolean overtaken;

  /** Some of its suggestions were taken back: it thinks them spent until it is opened anew. */
  private boolean misled;

  /**
   * @param nextNumber of the next suggestion
   */
  TunerDialogue(long nextNumber, Consumer<Decision> decide) {
    this.nextNumber = nextNumber;
    this.decide = decide;
  }

  long nextNumber() {
    return nextNumber;
  }

  /** Whether it has been asked and has not answered. */
  boolean asked() {
    return asked > 0;
  }

  /** Whether it waits for a result before it suggests more. */
  boolean starved() {
    return starved;
  }

  /** Whether it gave less than it was asked for and is at work on more, or waits for a result. */
  boolean thinks() {
    return thinking;
  }

  /** Whether it has nothing more to suggest. */
  boolean exhausted() {
    return exhausted;
  }

  /** Whether this is the tuner of now, and not one that was replaced. */
  boolean isPresent(int which) {
    return which == tuner;
  }

  /** Opens a tuner over the history as it is, in place of the one that there was. */
  void open(ExperimentSpec spec, long throughOrdinal) {
    tuner++;
    open = false;
    exhausted = false;
    starved = false;
    thinking = false;
    misled = false;
    asked = 0;
    askedFor = null;
    decide.accept(new Decision.OpenTuner(tuner, spec, throughOrdinal));
  }

  void opened(int ahead) {
    open = true;
    aheadLimit = ahead;
    untold.forEach(settled -> decide.accept(new Decision.Tell(tuner, settled)));
    untold.clear();
  }

  /**
   * Its answer came.
   *
   * @param last whether no result is to come that could change its mind
   */
  void answered(Tuners.Suggestions suggestions, boolean last) {
    int given = suggestions.items().size();
    boolean more = overtaken || suggestions.thinking();
    starved = given < asked && !more;
    thinking = given < asked && !overtaken && suggestions.thinking();
    exhausted = suggestions.exhausted() || (given == 0 && last && !more);
    asked = 0;
    askedFor = null;
    nextNumber += given;
  }

  /** One of its suggestions was taken back, or never became a plan. */
  void takenBack() {
    misled = true;
  }

  /** Whether it must be opened anew before it is asked. */
  boolean misled() {
    return misled;
  }

  void tell(Trials.Settled settled) {
    starved = false;
    thinking = false;
    overtaken = true;
    if (open) {
      decide.accept(new Decision.Tell(tuner, settled));
    } else {
      untold.add(settled);
    }
  }

  /** How far ahead of the free slots it may be asked. */
  int aheadLimit() {
    return aheadLimit;
  }

  /** Whether a question makes sense now. */
  boolean listens() {
    return open && asked == 0 && !exhausted && !starved;
  }

  void ask(int count) {
    asked = count;
    overtaken = false;
    decide.accept(new Decision.Ask(tuner, count, nextNumber));
  }

  /** Asks for what a running attempt is to try next. */
  void askFor(AttemptRef attempt) {
    askedFor = attempt;
    ask(1);
  }

  /** For whom it has been asked; null when for plans, or not at all. */
  @Nullable AttemptRef askedFor() {
    return askedFor;
  }
}
