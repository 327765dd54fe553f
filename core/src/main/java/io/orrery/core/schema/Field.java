package io.orrery.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.jspecify.annotations.Nullable;

/**
 * A key of a section, declared once.
 *
 * @param name camelCase, as NNI's canonical form spells it
 * @param meaning what it is, in a few words; said when it is required and missing
 * @param standard what it is when not set, null for nothing
 * @param inert a sentence for those who set it, because it does nothing here; null when it works
 */
public record Field(
    String name,
    ValueType type,
    String meaning,
    boolean required,
    @Nullable JsonNode standard,
    @Nullable String inert) {

  public static Field of(String name, ValueType type, String meaning) {
    return new Field(name, type, meaning, false, null, null);
  }

  public Field asRequired() {
    return new Field(name, type, meaning, true, standard, inert);
  }

  public Field or(boolean value) {
    return or(BooleanNode.valueOf(value));
  }

  public Field or(long value) {
    return or(LongNode.valueOf(value));
  }

  public Field or(String value) {
    return or(TextNode.valueOf(value));
  }

  public Field without(String effect) {
    return new Field(name, type, meaning, required, standard, effect);
  }

  private Field or(JsonNode value) {
    return new Field(name, type, meaning, required, value, inert);
  }
}
