package io.orrery.compute.section;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.orrery.core.json.Pointer;
import io.orrery.core.schema.Keys;
import io.orrery.core.schema.Shown;
import io.orrery.core.schema.Walk;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The section of a training service in NNI's first version, whose keys are renamed: a section of
 * its own at the top level, and keys of {@code trial}. What has no other name goes into the v3
 * section under its own, so that an unknown key is found by the schema, at the place where its
 * author wrote it. A service with more than renamed keys overrides what differs.
 */
public class OlderSection {
  private static final String AT = "/trainingService";
  private static final String TRIAL = "trial";

  private final List<String> names;
  private final Map<String, String> own;
  private final Map<String, String> trial;

  /**
   * @param names of its section at the top level, the usual one first
   * @param own the keys of the section, each with its name in v3
   * @param trial the same of the keys of {@code trial} that are the service's
   */
  public OlderSection(List<String> names, Map<String, String> own, Map<String, String> trial) {
    this.names = List.copyOf(names);
    this.own = own;
    this.trial = trial;
  }

  /** A table of keys and their names in v3, in this order. */
  public static Map<String, String> table(String... olderAndNewer) {
    Map<String, String> table = new LinkedHashMap<>();
    for (int i = 0; i < olderAndNewer.length; i += 2) {
      table.put(olderAndNewer[i], olderAndNewer[i + 1]);
    }
    return table;
  }

  /** The keys of the top level that are this service's. */
  public List<String> topLevel() {
    return names;
  }

  /** The keys of its section. */
  public final Map<String, String> own() {
    return own;
  }

  /** Whether a key of the top level is the section. */
  public final boolean isNamed(String key) {
    return Keys.find(key, names).isPresent();
  }

  /** The name of the section in a v1 file, as it is written there. */
  public final String nameIn(JsonNode v1) {
    return v1.properties().stream()
        .map(Map.Entry::getKey)
        .filter(this::isNamed)
        .findFirst()
        .orElse(names.getFirst());
  }

  /** The section of a v1 file; missing when it has none. */
  public final JsonNode in(JsonNode v1) {
    return v1.properties().stream()
        .filter(entry -> isNamed(entry.getKey()))
        .<JsonNode>map(Map.Entry::getValue)
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  /**
   * Takes a key that files for other services do not have.
   *
   * @param section the v1 section that it stands in, empty for the top level
   * @param written the author's pointer of the key
   * @param v3 the file in v3 form, which gets it
   * @return whether it was one of this service
   */
  public boolean take(
      String section, String key, JsonNode value, String written, ObjectNode v3, Walk walk) {
    if (section.isEmpty() && isNamed(key)) {
      if (!value.isObject()) {
        walk.here(written, key + " must be an object, this is " + Shown.of(value));
        return true;
      }
      for (Map.Entry<String, JsonNode> entry : value.properties()) {
        String name = newer(entry.getKey(), own);
        put(
            v3,
            name == null ? entry.getKey() : name,
            entry.getValue(),
            Pointer.child(written, entry.getKey()),
            walk);
      }
      return true;
    }
    String name = section.equals(TRIAL) ? newer(key, trial) : null;
    if (name != null) {
      put(v3, name, value, written, walk);
    }
    return name != null;
  }

  private static void put(ObjectNode v3, String name, JsonNode value, String written, Walk walk) {
    walk.places().put(AT + "/" + name, written);
    boolean megabytes = name.equals("trialMemorySize") && value.isNumber();
    service(v3).set(name, megabytes ? megabytes(value) : value);
  }

  /**
   * Adds its keys to those by which findings are named.
   *
   * @param at canonical pointer of the service's section
   */
  public void places(JsonNode v1, String at, OlderPlaces places) {
    places.put("/" + nameIn(v1), own, at);
    places.put("/" + TRIAL, trial, at);
  }

  /** Puts its keys of a v1 file into a v3 section, for a conversion that checks nothing. */
  public void convert(JsonNode v1, ObjectNode service) {
    rename(in(v1), own, service);
    rename(v1.path(TRIAL), trial, service);
  }

  /** Changes what stands elsewhere in v3 form because of this service. */
  public void adapt(ObjectNode v3, Walk walk) {}

  /** The v3 section of a file, made when it has none. */
  protected static ObjectNode service(ObjectNode v3) {
    return v3.withObjectProperty("trainingService");
  }

  /** Copies the keys of a table under their newer names. */
  protected static ObjectNode rename(JsonNode from, Map<String, String> names, ObjectNode into) {
    names.forEach((older, newer) -> {
      JsonNode value = from.get(older);
      if (value != null && !value.isNull()) {
        into.set(newer, value);
      }
    });
    return into;
  }

  /** A bare number of megabytes with its unit; v3 reads it the same without. */
  protected static JsonNode megabytes(JsonNode value) {
    return value.isNumber() ? TextNode.valueOf(value.asText() + "mb") : value;
  }

  /** Says that a key has no effect. */
  protected static void inert(String key, Walk walk) {
    walk.notice("Keys of NNI v1 that have no effect: " + key + ".");
  }

  /** The newer name of a key; null when the table has none. */
  protected static @Nullable String newer(String key, Map<String, String> names) {
    return Keys.find(key, names.keySet()).map(names::get).orElse(null);
  }
}
