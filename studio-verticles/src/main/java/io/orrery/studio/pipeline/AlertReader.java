package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.project.SecretReference;
import io.orrery.core.run.DueAlert;
import io.orrery.core.run.RunAlerts;
import io.orrery.core.run.RunStatus;
import io.orrery.core.text.MailAddress;
import io.orrery.core.text.Nearest;
import io.orrery.studio.document.DocumentKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the key {@code alerts} of a pipeline's document. */
final class AlertReader {
  /** The keys that it may have. */
  static final List<String> KEYS = List.of("on", "webhook", "mail", "late");

  private static final int MOST_NAME = 200;
  private static final int MOST_WORDS = 20;
  private static final int MOST_ADDRESSES = 20;
  private static final List<String> WORDS =
      Stream.concat(RunStatus.words().stream(), DueAlert.words().stream()).toList();

  private AlertReader() {}

  /** The alerts; null when there are none, or something is wrong. */
  public static @Nullable RunAlerts read(DocumentKeys document) {
    ObjectNode object = document.object("alerts");
    if (object == null) {
      return null;
    }
    DocumentKeys keys = document.inner(object, "alerts", KEYS);
    List<String> words = words(keys);
    List<String> mail = mail(keys);
    String written = keys.text("webhook", MOST_NAME);
    Optional<String> webhook = written == null ? Optional.empty() : SecretReference.name(written);
    if (webhook.isEmpty() && (written != null || keys.value("mail") == null)) {
      keys.wrong(
          "webhook",
          "webhook names the secret of the project that has the address of the receiver and the key"
              + " of signatures, such as secret:hook"
              + (written == null ? "; or mail has addresses" : ""));
      return null;
    }
    return new RunAlerts(
        Arrays.stream(RunStatus.values()).filter(each -> words.contains(each.name())).toList(),
        webhook.orElse(null),
        mail,
        Arrays.stream(DueAlert.values()).filter(each -> words.contains(each.name())).toList(),
        keys.duration("late", RunAlerts.USUALLY_LATE));
  }

  private static List<String> mail(DocumentKeys keys) {
    List<String> addresses = new ArrayList<>();
    for (JsonNode each : keys.list("mail", MOST_ADDRESSES)) {
      String address = each.asText("");
      if (!each.isTextual() || !MailAddress.isOne(address)) {
        keys.wrong("mail", "'%s' is no address such as ann@example.com".formatted(address));
      } else if (!addresses.contains(address)) {
        addresses.add(address);
      }
    }
    JsonNode value = keys.value("mail");
    if (value != null && value.isArray() && value.isEmpty()) {
      keys.wrong("mail", "mail has an address at least, such as ann@example.com");
    }
    return addresses;
  }

  private static List<String> words(DocumentKeys keys) {
    if (keys.value("on") == null) {
      return List.of(RunStatus.FAILED.name());
    }
    List<String> words = new ArrayList<>();
    for (JsonNode each : keys.list("on", MOST_WORDS)) {
      String word = each.asText("");
      if (each.isTextual() && WORDS.contains(word)) {
        words.add(word);
      } else {
        keys.wrong(
            "on",
            "there is no status '%s' of a run%s: one is %s"
                .formatted(word, Nearest.hint(word, WORDS), String.join(", ", WORDS)));
      }
    }
    JsonNode value = keys.value("on");
    if (value != null && value.isArray() && value.isEmpty()) {
      keys.wrong("on", "on has a status at least, such as FAILED");
    }
    return words;
  }
}
