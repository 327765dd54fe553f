package io.orrery.core.schema;

import com.fasterxml.jackson.databind.JsonNode;

/** A value as a message shows it, short whatever its size. */
public final class Shown {
  private static final int LONGEST = 60;

  private Shown() {}

  public static String of(JsonNode json) {
    return switch (json.getNodeType()) {
      case OBJECT -> "an object";
      case ARRAY -> "a list";
      case STRING -> "'" + cut(json.textValue()) + "'";
      default -> cut(json.asText());
    };
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }
}
