package io.orrery.gateway.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Covers passwords and keys in a configuration that is shown. NNI lets its users write them in
 * plain text, in the sections about where to run and where to store; nothing outside these sections
 * is touched, so that a hyperparameter may be called {@code token}.
 */
public final class Credentials {
  private static final String COVER = "******";
  private static final List<String> SECTIONS = List.of("trainingService", "sharedStorage");
  private static final Pattern SECRET =
      Pattern.compile(".*(password|passphrase|secret|token|accountkey|accesskey|credential).*");

  private Credentials() {}

  /** Covers them in a configuration in NNI's v3 form; changes it, and returns it. */
  public static JsonNode covered(JsonNode config) {
    SECTIONS.forEach(section -> cover(config.path(section)));
    return config;
  }

  private static void cover(JsonNode node) {
    if (node instanceof ObjectNode object) {
      for (var member : object.properties()) {
        boolean secret = SECRET.matcher(member.getKey().toLowerCase(Locale.ROOT)).matches();
        if (secret && member.getValue().isTextual()) {
          member.setValue(object.textNode(COVER));
        } else {
          cover(member.getValue());
        }
      }
    } else {
      node.forEach(Credentials::cover);
    }
  }
}
