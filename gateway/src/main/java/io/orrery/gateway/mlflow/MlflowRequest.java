package io.orrery.gateway.mlflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Tracking.View;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.tracking.TrackedKey;
import io.orrery.gateway.http.RequestBody;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a request: the JSON object of its body, or the query of one without a body.
 * Protocol buffers write large numbers as texts, so numbers are read from both. What does not fit
 * is refused, with the name of the field.
 */
final class MlflowRequest {
  static final int MAX_BYTES = 4 << 20;
  static final int MOST_KEY = TrackedKey.MOST;
  static final int MOST_TAG = 8_000;

  private static final int MOST_TAGS = 100;
  private static final int MOST_TEXT = 20_000;
  private static final int MOST_ITEMS = 1_000;

  private final ObjectNode fields;

  MlflowRequest(ObjectNode fields) {
    this.fields = fields;
  }

  /** Reads a request; called before anything asynchronous happens to it. */
  static Future<MlflowRequest> read(RequestBody bodies, RoutingContext context) {
    if (context.request().method().equals(HttpMethod.GET)) {
      return Future.succeededFuture(ofQuery(context));
    }
    return bodies
        .text(context, MAX_BYTES)
        .map(text -> {
          if (text.isBlank()) {
            return ofQuery(context);
          }
          if (Json.parse(text) instanceof ObjectNode object) {
            return new MlflowRequest(object);
          }
          throw refused("the body is a JSON object");
        });
  }

  private static MlflowRequest ofQuery(RoutingContext context) {
    ObjectNode fields = Json.MAPPER.createObjectNode();
    for (String name : context.queryParams().names()) {
      List<String> values = context.queryParams().getAll(name);
      if (values.size() == 1) {
        fields.put(name, values.getFirst());
      } else {
        values.forEach(fields.withArray("/" + name.replace("~", "~0").replace("/", "~1"))::add);
      }
    }
    return new MlflowRequest(fields);
  }

  /** Whether a field is there with a value. */
  boolean has(String key) {
    return fields.hasNonNull(key);
  }

  /** A text; null when it is absent or null. */
  @Nullable String text(String key, int most) {
    JsonNode value = fields.get(key);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!value.isValueNode()) {
      throw refused("'" + key + "' is a text");
    }
    return checked(key, value.asText(), most);
  }

  private static String checked(String key, String text, int most) {
    if (text.length() > most) {
      throw refused("'%s' has at most %,d characters, not %,d".formatted(key, most, text.length()));
    }
    if (text.indexOf('\0') >= 0) {
      throw refused("'" + key + "' has a character 0");
    }
    return text;
  }

  /** A text that must be there and not be empty. */
  String required(String key, int most) {
    String text = text(key, most);
    if (text == null || text.isEmpty()) {
      throw refused("Missing value for required parameter '" + key + "'");
    }
    return text;
  }

  /** A filter; empty when it is absent. */
  String filter() {
    return Objects.requireNonNullElse(text("filter", MOST_TEXT), "");
  }

  /** A whole number; null when it is absent or null. */
  @Nullable Long integer(String key) {
    String text = text(key, 40);
    if (text == null) {
      return null;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw refused("'" + key + "' is a whole number, not '" + text + "'");
    }
  }

  /** The most items of a page: those that are asked for, as far as pages go. */
  int limit(int usual, int most) {
    Long asked = integer("max_results");
    if (asked == null) {
      return usual;
    }
    if (asked < 1 || asked > 50_000) {
      throw refused("'max_results' is a whole number from 1 to 50,000, not " + asked);
    }
    return (int) Math.min(asked, most);
  }

  /** The number of items before a page. */
  long offset() {
    String token = text("page_token", 100);
    if (token == null || token.isEmpty()) {
      return 0;
    }
    try {
      long offset = Long.parseLong(token);
      if (offset >= 0) {
        return offset;
      }
    } catch (NumberFormatException e) {
      // Refused below.
    }
    throw refused("'page_token' is one that a page before was answered with");
  }

  /** The places at which a page of two searches begins. */
  MlflowMerge.Offsets offsets() {
    return MlflowMerge.Offsets.of(text("page_token", 100));
  }

  /** Some texts; empty when they are absent. */
  List<String> texts(String key) {
    JsonNode value = fields.get(key);
    List<String> texts = new ArrayList<>();
    if (value == null || value.isNull()) {
      return texts;
    }
    if (value.isValueNode()) {
      texts.add(checked(key, value.asText(), MOST_TEXT));
      return texts;
    }
    if (!value.isArray() || value.size() > MOST_ITEMS) {
      throw refused("'%s' is a list of at most %,d texts".formatted(key, MOST_ITEMS));
    }
    value.forEach(item -> texts.add(checked(key, item.asText(), MOST_TEXT)));
    return texts;
  }

  /** The tags of a list of {@code {key, value}}. */
  Map<String, String> tags() {
    JsonNode list = fields.path("tags");
    Map<String, String> tags = new LinkedHashMap<>();
    if (list.isMissingNode() || list.isNull()) {
      return tags;
    }
    if (!list.isArray() || list.size() > MOST_TAGS) {
      throw refused("'tags' is a list of at most %d objects {key, value}".formatted(MOST_TAGS));
    }
    for (JsonNode tag : list) {
      tags.put(key("tags", tag.path("key").asText("")), tagValue(tag.path("value").asText("")));
    }
    return tags;
  }

  /** The value of a tag. */
  static String tagValue(String value) {
    return checked("value", value, MOST_TAG);
  }

  /** The name of a metric, parameter or tag. */
  static String key(String field, String key) {
    if (key.isBlank() || key.length() > MOST_KEY) {
      throw refused(
          "a key of '%s' has 1 to %d characters, not '%s'"
              .formatted(field, MOST_KEY, key.substring(0, Math.min(key.length(), 60))));
    }
    if (!TrackedKey.isValid(key)) {
      throw refused(
          "Invalid key '%s' of '%s': keys have letters, digits, '_', '-', '.', ' ', ':' and '/'"
              .formatted(key, field));
    }
    return key;
  }

  /** Which objects a search sees. */
  View view() {
    String text =
        Objects.requireNonNullElse(
            text(has("run_view_type") ? "run_view_type" : "view_type", 40), "ACTIVE_ONLY");
    return Arrays.stream(View.values())
        .filter(view -> view.name().equals(text.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () -> refused("'view_type' is ACTIVE_ONLY, DELETED_ONLY or ALL, not '" + text + "'"));
  }

  static RuntimeException refused(String message) {
    return new Problem.Refused(new Finding("", message)).toException();
  }
}
