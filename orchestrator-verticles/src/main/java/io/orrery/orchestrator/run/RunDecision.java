package io.orrery.orchestrator.run;

import java.time.Instant;

/** A decision of the model, to be carried out after the state that it belongs to is stored. */
sealed interface RunDecision {
  /** Starts an attempt; who repeats it starts nothing twice. */
  record Launch(int step, int attempt) implements RunDecision {}

  /** Takes up an attempt that an earlier owner launched, or was about to. */
  record Adopt(int step, int attempt) implements RunDecision {}

  /** Ends an attempt. */
  record Cancel(int step, int attempt) implements RunDecision {}

  /** Keeps the outputs of an attempt that has ended well. */
  record Collect(int step, int attempt) implements RunDecision {}

  /** Sends {@link RunEvent.Ticked} at this instant. */
  record WakeAt(Instant at) implements RunDecision {}

  /** The run is over: its owner may let go of it. */
  record Finish() implements RunDecision {}
}
