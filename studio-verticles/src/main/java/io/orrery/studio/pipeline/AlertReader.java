package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.project.SecretReference;
import io.orrery.core.run.RunAlerts;
import io.orrery.core.run.RunStatus;
import io.orrery.core.text.Nearest;
import io.orrery.studio.document.DocumentKeys;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the key {@code alerts} of a pipeline's document. */
final class AlertReader {
  /** The keys that it may have. */
  static final List<String> KEYS = List.of("on", "webhook", "mail");

  private static final int MOST_NAME = 200;
  private static final int MOST_STATUSES = 20;

  private AlertReader() {}

  /** The alerts; null when there are none, or something is wrong. */
  static @Nullable RunAlerts read(DocumentKeys document) {
    ObjectNode object = document.object("alerts");
    if (object == null) {
      return null;
    }
    DocumentKeys keys = document.inner(object, "alerts", KEYS);
    if (keys.value("mail") != null) {
      keys.wrong("mail", "this server sends no mail yet: use webhook");
    }
    List<RunStatus> on = on(keys);
    String written = keys.text("webhook", MOST_NAME);
    Optional<String> webhook = written == null ? Optional.empty() : SecretReference.name(written);
    if (webhook.isEmpty()) {
      keys.wrong(
          "webhook",
          "webhook names the secret of the project that has the address of the receiver and the key"
              + " of signatures, such as secret:hook");
      return null;
    }
    return new RunAlerts(on, webhook.get());
  }

  private static List<RunStatus> on(DocumentKeys keys) {
    if (keys.value("on") == null) {
      return List.of(RunStatus.FAILED);
    }
    Set<RunStatus> statuses = EnumSet.noneOf(RunStatus.class);
    List<JsonNode> written = keys.list("on", MOST_STATUSES);
    for (JsonNode each : written) {
      String word = each.asText("");
      if (each.isTextual() && RunStatus.words().contains(word)) {
        statuses.add(RunStatus.valueOf(word));
      } else {
        keys.wrong(
            "on",
            "there is no status '%s' of a run%s: one is %s"
                .formatted(
                    word,
                    Nearest.hint(word, RunStatus.words()),
                    String.join(", ", RunStatus.words())));
      }
    }
    JsonNode value = keys.value("on");
    if (value != null && value.isArray() && value.isEmpty()) {
      keys.wrong("on", "on has a status at least, such as FAILED");
    }
    return List.copyOf(statuses);
  }
}
