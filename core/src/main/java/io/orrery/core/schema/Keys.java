package io.orrery.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Compares keys as NNI does: case and underscores do not count. */
public final class Keys {
  private Keys() {}

  public static boolean same(String a, String b) {
    return plain(a).equals(plain(b));
  }

  /** The known key that a written one means. */
  public static Optional<String> find(String written, Collection<String> known) {
    return known.stream().filter(key -> same(key, written)).findFirst();
  }

  /** Whether an object has a key that is not null, however it is written. */
  public static boolean present(JsonNode object, String key) {
    return object.properties().stream()
        .anyMatch(entry -> same(entry.getKey(), key) && !entry.getValue().isNull());
  }

  static String plain(String key) {
    return key.toLowerCase(Locale.ROOT).replace("_", "");
  }
}
