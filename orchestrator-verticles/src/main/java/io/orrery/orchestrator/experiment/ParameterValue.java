package io.orrery.orchestrator.experiment;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * One parameter's value out of the stored text of a trial's parameter sets, read token by token:
 * nothing is made of what stands around it. The text is ours, so its form is known.
 */
final class ParameterValue {
  private ParameterValue() {}

  /**
   * The value in the last set.
   *
   * @return a number, or a text: of a branch its name, of a list its JSON; null when the set has no
   *     such parameter, or nothing in it
   */
  static @Nullable Object in(String parameterSets, String parameter) {
    try (JsonParser json = Json.MAPPER.getFactory().createParser(parameterSets)) {
      Object value = null;
      json.nextToken();
      while (json.nextToken() == JsonToken.START_OBJECT) {
        value = inSet(json, parameter);
      }
      return value;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable Object inSet(JsonParser json, String parameter) throws IOException {
    Object value = null;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean values = json.currentName().equals("values");
      if (json.nextToken() == JsonToken.START_OBJECT && values) {
        value = member(json, parameter);
      } else {
        json.skipChildren();
      }
    }
    return value;
  }

  private static @Nullable Object member(JsonParser json, String name) throws IOException {
    Object value = null;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean meant = json.currentName().equals(name);
      json.nextToken();
      if (meant) {
        value = value(json);
      } else {
        json.skipChildren();
      }
    }
    return value;
  }

  private static @Nullable Object value(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case VALUE_NULL -> null;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getDoubleValue();
      case START_OBJECT -> member(json, "_name");
      case START_ARRAY -> Json.write(json.readValueAsTree());
      case VALUE_STRING, VALUE_TRUE, VALUE_FALSE -> json.getText();
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
          throw new IOException("no value at " + json.currentLocation());
    };
  }
}
