package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.Topic;
import io.orrery.core.route.RouteLayer;
import org.jspecify.annotations.Nullable;

/**
 * The requests for the layers of the route table that the store has. The orchestrator answers; the
 * routers of all servers read a layer within a second of its change.
 */
public final class RouteLayers {
  /** The most characters of the document of a layer. */
  public static final int MOST_CHARACTERS = 16 << 20;

  /**
   * Replaces a layer. The answer is durable before it is given, and in force at the routers later:
   * {@link Routes#TRAFFIC} tells when. Refused with all findings; Conflict when another revision is
   * stored, or a service name or host is in another layer. A document that is stored already
   * changes nothing. Where no router runs, a document is stored unchecked.
   */
  public static final Address<Put, Stored> PUT =
      new Address<>("routelayers.put", Put.class, Stored.class).waiting(Address.LONG);

  /** Reads a layer, if it is not known already. */
  public static final Address<Get, Layer> GET =
      new Address<>("routelayers.get", Get.class, Layer.class);

  /** A hint that a layer has changed. */
  public static final Topic<Changed> CHANGED = new Topic<>("routelayers.changed", Changed.class);

  private RouteLayers() {}

  /**
   * A request to replace a layer.
   *
   * @param layer not {@link RouteLayer#TABLE}
   * @param document {@code {services: […]}}, YAML or JSON, with the keys of {@code PUT
   *     /api/v1/routes}; a split or mirror may name services of other layers
   * @param revision of the layer that this one is made from; null replaces any
   */
  public record Put(RouteLayer layer, String document, @Nullable Long revision) {}

  /** The answer to {@link Put}: the revision that the layer has now. */
  public record Stored(long revision) {}

  /**
   * A request for a layer.
   *
   * @param known the revision that the asker has; null for none
   */
  public record Get(RouteLayer layer, @Nullable Long known) {}

  /**
   * A layer as it is stored.
   *
   * @param revision 0 for a layer that nothing was ever put into; it only grows
   * @param document as it was put; null when the asker knows this revision
   */
  public record Layer(long revision, @Nullable String document) {}

  public record Changed(RouteLayer layer, long revision) {}
}
