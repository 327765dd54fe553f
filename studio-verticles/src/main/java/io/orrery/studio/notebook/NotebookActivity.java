package io.orrery.studio.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.json.Json;
import io.orrery.core.notebook.NotebookIde;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The use of a notebook, as its program tells it. Pure.
 *
 * @param last when it was used last; empty when the program does not say
 * @param inUse whether it is used now: a kernel is busy, a terminal or a connection is open
 */
record NotebookActivity(Optional<Instant> last, boolean inUse) {
  /** The paths that tell it; asking does not count as use. */
  static List<String> paths(NotebookIde ide) {
    return switch (ide) {
      case JUPYTER ->
          List.of(
              "/api/status",
              "/api/kernels?no_track_activity=1",
              "/api/terminals?no_track_activity=1");
      case VSCODE, TENSORBOARD -> List.of("/healthz");
    };
  }

  /**
   * Reads the answers.
   *
   * @param answers in the order of the paths; empty where the program has no such path
   */
  static NotebookActivity read(NotebookIde ide, List<String> answers) {
    return switch (ide) {
      case JUPYTER -> jupyter(answers);
      case VSCODE, TENSORBOARD -> vscode(Json.parse(answers.getFirst()));
    };
  }

  /** The same where the workload has terminals of ours, or connections, whose use counts too. */
  NotebookActivity with(@Nullable Workload workload) {
    return workload == null || workload.connections() == 0
        ? this
        : new NotebookActivity(last, true);
  }

  private static NotebookActivity jupyter(List<String> answers) {
    JsonNode status = Json.parse(answers.getFirst());
    Optional<Instant> last = time(status.path("last_activity"));
    boolean inUse = status.path("connections").asInt() > 0;
    for (String answer : answers.subList(1, answers.size())) {
      if (!answer.isEmpty()) {
        for (JsonNode one : Json.parse(answer)) {
          last = later(last, time(one.path("last_activity")));
          inUse |=
              !one.has("execution_state") || !isIdle(one) || one.path("connections").asInt() > 0;
        }
      }
    }
    return new NotebookActivity(last, inUse);
  }

  private static boolean isIdle(JsonNode kernel) {
    return switch (kernel.path("execution_state").asText()) {
      case "idle", "dead" -> true;
      default -> false;
    };
  }

  private static NotebookActivity vscode(JsonNode health) {
    long beat = health.path("lastHeartbeat").asLong();
    return new NotebookActivity(
        beat > 0 ? Optional.of(Instant.ofEpochMilli(beat)) : Optional.empty(),
        health.path("status").asText().equals("alive"));
  }

  private static Optional<Instant> later(Optional<Instant> one, Optional<Instant> other) {
    return one.isEmpty() || (other.isPresent() && other.get().isAfter(one.get())) ? other : one;
  }

  private static Optional<Instant> time(JsonNode text) {
    try {
      return text.isTextual() ? Optional.of(Instant.parse(text.textValue())) : Optional.empty();
    } catch (DateTimeException other) {
      return Optional.empty();
    }
  }
}
