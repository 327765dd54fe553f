package io.orrery.core.route;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A layer of the route table: the services of one owner. The table in force has those of all
 * layers, in the order of these constants. A service name or an explicit host is in one layer only.
 */
public enum RouteLayer {
  /**
   * The services of the operator: a file, or {@code PUT /api/v1/routes}. Each router has its own.
   */
  TABLE,
  /** The services that the server itself keeps alive. The store has it, and all routers follow. */
  STUDIO;

  /** All words, in the order of the layers. */
  public static final List<String> WORDS = Arrays.stream(values()).map(RouteLayer::word).toList();

  /** The lower-case name, as the API has it. */
  @JsonValue
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The layer of a word; empty when there is none. */
  public static Optional<RouteLayer> of(String word) {
    return Arrays.stream(values()).filter(layer -> layer.word().equals(word)).findFirst();
  }
}
