package io.orrery.compute.runtime.container;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.process.Processes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Set;

/**
 * The state of a container as the engine tells it.
 *
 * @param status the engine's word, such as {@code running}
 * @param exitCode of a container that has ended: 128 + n after signal n
 * @param startedAt the epoch before it was started
 * @param pid of its first process on this machine; 0 when it does not run
 * @param memory its limit in bytes; 0 for none
 * @param stopSignal the signal that asks its program to end, as its image has it
 */
record ContainerState(
    String status,
    int exitCode,
    boolean oomKilled,
    Instant startedAt,
    long pid,
    long memory,
    String stopSignal) {
  private static final Set<String> NEW = Set.of("created", "configured", "initialized");
  private static final Set<String> OVER = Set.of("exited", "stopped", "dead", "removing");

  /** Reads the answer of {@code GET /containers/{id}/json}. */
  static ContainerState of(JsonNode json) {
    JsonNode state = json.path("State");
    String signal = json.path("Config").path("StopSignal").asText();
    return new ContainerState(
        state.path("Status").asText(),
        state.path("ExitCode").asInt(),
        state.path("OOMKilled").asBoolean(),
        instant(state.path("StartedAt").asText()),
        state.path("Pid").asLong(),
        json.path("HostConfig").path("Memory").asLong(),
        signal.isBlank() ? "SIGTERM" : signal);
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException unknown) {
      return Instant.EPOCH;
    }
  }

  /** Its processes, when they are seen from here; else none. */
  List<Long> tree() {
    return pid > 0 && Files.isReadable(Path.of("/proc/" + pid + "/fd"))
        ? Processes.tree(pid)
        : List.of();
  }

  /** Whether it was never started. */
  boolean isNew() {
    return NEW.contains(status);
  }

  /** Whether its program has ended. */
  boolean isOver() {
    return OVER.contains(status);
  }
}
