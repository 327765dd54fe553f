package io.orrery.orchestrator.spec;

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
record Field(
    String name,
    ValueType type,
    String meaning,
    boolean required,
    @Nullable JsonNode standard,
    @Nullable String inert) {

  static Field of(String name, ValueType type, String meaning) {
    return new Field(name, type, meaning, false, null, null);
  }

  Field asRequired() {
    return new Field(name, type, meaning, true, standard, inert);
  }

  Field or(boolean value) {
    return or(BooleanNode.valueOf(value));
  }

  Field or(long value) {
    return or(LongNode.valueOf(value));
  }

  Field or(String value) {
    return or(TextNode.valueOf(value));
  }

  Field without(String effect) {
    return new Field(name, type, meaning, required, standard, effect);
  }

  private Field or(JsonNode value) {
    return new Field(name, type, meaning, required, value, inert);
  }
}
