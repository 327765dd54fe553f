package io.orrery.gateway.http;

import java.util.List;

/**
 * A row of the table of routes.
 *
 * @param path as Vert.x writes it: {@code /experiments/:experiment}
 * @param need the permission that it asks for
 * @param query the names of the query parameters that it understands
 */
public record Served(String method, String path, RouteNeed need, List<String> query) {
  /** The key under which a route of Vert.x keeps its row. */
  static final String KEY = "served";

  public Served {
    query = List.copyOf(query);
  }
}
