package io.orrery.core.bus.contract;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.Address;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests for the route table, which the router answers. */
public final class Routes {
  /** The table in force, with the state and the traffic of every service. */
  public static final Address<Show, Table> SHOW =
      new Address<>("routes.show", Show.class, Table.class);

  /**
   * Puts another table in force, whole, or refuses it whole; what is under way ends on the old one.
   * Conflict when this server runs no router, and when another table is in force than was meant.
   */
  public static final Address<Replace, Table> REPLACE =
      new Address<>("routes.replace", Replace.class, Table.class);

  private Routes() {}

  public record Show() {}

  /**
   * @param document {@code {services: […]}}, YAML or JSON
   * @param revision of the table that this one is made from; null replaces any
   */
  public record Replace(String document, @Nullable String revision) {}

  /**
   * @param services as they were written, each with its {@code state}
   * @param revision the same for the same services as written, another for others
   */
  public record Table(List<JsonNode> services, String revision) {
    public Table {
      services = List.copyOf(services);
    }
  }
}
