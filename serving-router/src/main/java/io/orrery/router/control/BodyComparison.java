package io.orrery.router.control;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.contract.RouteReports.BodyDifference;
import io.orrery.core.bus.contract.RouteReports.JsonDifference;
import io.orrery.core.json.Json;
import io.orrery.core.json.Pointer;
import io.orrery.router.telemetry.Differences.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds where two bodies differ: the first byte, and the places of JSON when both are whole and are
 * JSON. Only their beginnings are there to look at.
 */
final class BodyComparison {
  private static final int MOST_PLACES = 5;
  private static final int MOST_TEXT = 80;
  private static final int BEFORE = 20;
  private static final int DEEPEST = 20;

  private BodyComparison() {}

  /** Null when the bodies are not there, or are the same as far as they are. */
  static @Nullable BodyDifference of(Answer told, Answer said) {
    byte[] one = told.beginning();
    byte[] other = said.beginning();
    if (one == null || other == null) {
      return null;
    }
    int at = Arrays.mismatch(one, other);
    if (at < 0) {
      return null;
    }
    int from = Math.max(0, at - BEFORE);
    return new BodyDifference(at, excerpt(one, from), excerpt(other, from), places(told, said));
  }

  private static String excerpt(byte[] body, int from) {
    int end = Math.min(body.length, from + MOST_TEXT);
    String text = from >= end ? "" : new String(body, from, end - from, StandardCharsets.UTF_8);
    return text.replaceAll("\\p{Cntrl}|\uFFFD", ".");
  }

  private static List<JsonDifference> places(Answer told, Answer said) {
    JsonNode one = json(told);
    JsonNode other = json(said);
    List<JsonDifference> found = new ArrayList<>();
    if (one != null && other != null) {
      compare("", one, other, 0, found);
    }
    return found;
  }

  private static @Nullable JsonNode json(Answer answer) {
    byte[] body = answer.beginning();
    if (body == null || body.length == 0 || body.length < answer.length()) {
      return null;
    }
    try {
      JsonNode read = Json.MAPPER.readTree(body);
      return read.isMissingNode() ? null : read;
    } catch (IOException notJson) {
      return null;
    }
  }

  private static void compare(
      String pointer,
      @Nullable JsonNode one,
      @Nullable JsonNode other,
      int depth,
      List<JsonDifference> found) {
    if (found.size() >= MOST_PLACES || (one != null && one.equals(other))) {
      return;
    }
    if (one != null && other != null && depth < DEEPEST) {
      if (one.isObject() && other.isObject()) {
        Set<String> keys = new TreeSet<>();
        one.fieldNames().forEachRemaining(keys::add);
        other.fieldNames().forEachRemaining(keys::add);
        for (String key : keys) {
          compare(Pointer.child(pointer, key), one.get(key), other.get(key), depth + 1, found);
        }
        return;
      }
      if (one.isArray() && other.isArray()) {
        for (int i = 0; i < Math.max(one.size(), other.size()); i++) {
          compare(Pointer.child(pointer, i), one.get(i), other.get(i), depth + 1, found);
        }
        return;
      }
    }
    found.add(new JsonDifference(pointer, text(one), text(other)));
  }

  private static @Nullable String text(@Nullable JsonNode node) {
    if (node == null) {
      return null;
    }
    String text = node.toString();
    return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT - 1) + "…";
  }
}
