package io.orrery.core.bus;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A part of the server that a process runs, and the requests that it answers. A process may have
 * any roles; a server that works alone has all.
 */
public enum ServerRole {
  /** The HTTP edge: API, pages, trial channels. */
  GATEWAY,
  /** Owns experiments and has their trials run; keeps people and projects. */
  ORCHESTRATOR,
  /** Lets tuners and assessors think. */
  TUNER,
  /** Keeps what trials report; speaks with Kafka. */
  METRICS,
  /** Carries requests to the models that are served. */
  ROUTER;

  /** As it is written: in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The role of a word; empty when there is none. */
  public static Optional<ServerRole> of(String word) {
    return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
  }

  /** All of them. */
  public static Set<ServerRole> all() {
    return EnumSet.allOf(ServerRole.class);
  }

  /** Words with commas between, in the order of the roles. */
  public static String words(Set<ServerRole> roles) {
    return roles.stream().sorted().map(ServerRole::word).collect(Collectors.joining(","));
  }

  /**
   * The role that answers at an address; empty when one part of a process does, or every server.
   */
  static Optional<ServerRole> answering(Address<?, ?> address) {
    return switch (address.name().substring(0, address.name().indexOf('.'))) {
      case "experiments",
          "trials",
          "trialruns",
          "annotations",
          "platforms",
          "rehearsals",
          "keepers",
          "people",
          "projects",
          "audits",
          "routelayers",
          "workloads",
          "bundles",
          "services",
          "notebooks",
          "domains",
          "models",
          "artifacts",
          "tracking",
          "runs",
          "pipelines",
          "schedules",
          "templates",
          "quotas",
          "gpus",
          "usages",
          "secrets",
          "registries",
          "retentions",
          "images",
          "builds" ->
          Optional.of(ORCHESTRATOR);
      case "tuners", "dispatchers" -> Optional.of(TUNER);
      case "metrics" -> Optional.of(METRICS);
      case "routes" -> Optional.of(ROUTER);
      default -> Optional.empty();
    };
  }
}
