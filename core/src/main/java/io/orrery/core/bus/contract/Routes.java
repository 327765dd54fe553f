package io.orrery.core.bus.contract;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.Address;
import java.util.List;

/** What the serving router routes by; the router answers. */
public final class Routes {
  /** The table in force, with the state of every endpoint. */
  public static final Address<Show, Table> SHOW =
      new Address<>("routes.show", Show.class, Table.class);

  /**
   * Puts another table in force, whole, or refuses it whole; what is under way ends on the old one.
   * Conflict when this server runs no router.
   */
  public static final Address<Replace, Table> REPLACE =
      new Address<>("routes.replace", Replace.class, Table.class);

  private Routes() {}

  public record Show() {}

  /**
   * @param document {@code {services: […]}}, YAML or JSON
   */
  public record Replace(String document) {}

  /**
   * @param services as they were written, each with its {@code state}
   */
  public record Table(List<JsonNode> services) {
    public Table {
      services = List.copyOf(services);
    }
  }
}
