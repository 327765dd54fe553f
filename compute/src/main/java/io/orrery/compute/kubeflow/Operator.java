package io.orrery.compute.kubeflow;

import io.orrery.kubernetes.ResourceType;
import java.util.List;

/** The operators, and what they call things. */
enum Operator {
  TENSORFLOW("TFJob", "tfjobs", "tfReplicaSpecs", "tensorflow"),
  PYTORCH("PyTorchJob", "pytorchjobs", "pytorchReplicaSpecs", "pytorch");

  private static final String GROUP = "kubeflow.org";

  private final String kind;
  private final String plural;

  /** The map of replicas in a job's spec. */
  final String replicas;

  /** The container that the operator looks for. */
  final String container;

  Operator(String kind, String plural, String replicas, String container) {
    this.kind = kind;
    this.plural = plural;
    this.replicas = replicas;
    this.container = container;
  }

  /** Its roles; the first that a job has speaks for it. */
  List<String> roles() {
    return switch (this) {
      case TENSORFLOW -> List.of("chief", "master", "worker", "ps", "evaluator");
      case PYTORCH -> List.of("master", "worker");
    };
  }

  /** As a configuration names it. */
  static Operator of(String name) {
    return name.equals("pytorch-operator") ? PYTORCH : TENSORFLOW;
  }

  ResourceType resource(String version) {
    return new ResourceType(GROUP, version, kind, plural);
  }

  /** A replica type, as a job's spec spells a role. */
  static String replica(String role) {
    return role.equals("ps") ? "PS" : Character.toUpperCase(role.charAt(0)) + role.substring(1);
  }
}
