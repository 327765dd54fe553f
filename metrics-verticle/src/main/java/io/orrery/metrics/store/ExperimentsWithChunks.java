package io.orrery.metrics.store;

import io.orrery.core.id.ExperimentId;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * The experiments that have or had chunks. The attempts of any other one need not be looked up in
 * the tables: a question for each new trial, and for the end of each that reported nothing, costs
 * more than its points do, and an experiment has its first chunk after megabytes. Belongs to the
 * writer thread.
 */
final class ExperimentsWithChunks {
  private final Set<ExperimentId> experiments = new HashSet<>();

  /** Whether others write chunks too, so that nothing is known. */
  private final boolean shared;

  ExperimentsWithChunks(boolean shared) {
    this.shared = shared;
  }

  /** False when an experiment has no chunk for sure. */
  boolean mayHave(ExperimentId experiment) {
    return shared || experiments.contains(experiment);
  }

  void add(Collection<ExperimentId> moved) {
    experiments.addAll(moved);
  }
}
