package io.orrery.core.project;

/** The role of a workload, which is the label of the machines that may run it. */
public enum WorkloadRole {
  /** Machines for notebooks. */
  NOTEBOOK("notebook"),
  /** Machines for tasks of pipelines and for trials of a search. */
  TRAIN("train"),
  /** Machines for internal services and inference services. */
  SERVICE("service");

  private final String label;

  WorkloadRole(String label) {
    this.label = label;
  }

  /** The key of the label, whose value on such a machine is {@code true}. */
  public String label() {
    return label;
  }
}
