package io.orrery.orchestrator.alert;

import io.orrery.core.json.Json;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.RunStatus;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a run that an alert tells.
 *
 * @param error why it failed; null when it did not
 * @param at when the run had the status
 */
public record AlertBody(
    RunSpec run,
    RunStatus status,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String error,
    Instant at) {
  private static final int MOST_ERROR = 2_000;

  /** The name of the alert: the same for the same status of the same run at the same time. */
  String id() {
    return "%s-%s-%d"
        .formatted(run.id(), status.name().toLowerCase(Locale.ROOT), at.toEpochMilli());
  }

  /** The JSON that is sent. */
  String text() {
    return Json.write(
        Json.MAPPER
            .createObjectNode()
            .put("id", id())
            .put("run", run.id().value())
            .put("pipeline", run.pipeline())
            .put("version", run.version())
            .put("project", run.project().value())
            .put("owner", run.runner())
            .put("trigger", run.trigger())
            .put("due", Objects.toString(run.due(), null))
            .put("status", status.name())
            .put(
                "error",
                error == null || error.length() <= MOST_ERROR
                    ? error
                    : error.substring(0, MOST_ERROR) + "…")
            .put("startedAt", Objects.toString(startedAt, null))
            .put("endedAt", Objects.toString(endedAt, null))
            .put("at", at.toString()));
  }
}
