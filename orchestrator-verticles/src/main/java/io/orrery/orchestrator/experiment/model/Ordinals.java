package io.orrery.orchestrator.experiment.model;

/** Numbers the entries of an experiment's history; only ever grows. */
final class Ordinals {
  private long next;

  Ordinals(long next) {
    this.next = next;
  }

  long next() {
    return next++;
  }

  /** What {@link #next} will give. */
  long upcoming() {
    return next;
  }
}
