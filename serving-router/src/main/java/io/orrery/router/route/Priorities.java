package io.orrery.router.route;

import java.util.Locale;
import java.util.Map;

/**
 * Classes of requests, each of which may fill a part of what a service can bear: under load the
 * requests of the lower classes are shed first, and the rest is kept for the others.
 *
 * @param header whose value is the class of a request; lower case
 * @param parts percentages of the requests in flight at which requests of a class are shed
 * @param other the same for requests of no such class
 */
public record Priorities(String header, Map<String, Double> parts, double other) {
  public Priorities {
    header = header.toLowerCase(Locale.ROOT);
    parts = Map.copyOf(parts);
  }

  /**
   * The number of requests in flight, its own included, up to which a request is let in.
   *
   * @param requests the most that the service may have
   */
  public int most(RequestFacts request, int requests) {
    String name = request.header(header);
    double part = name == null ? other : parts.getOrDefault(name, other);
    return (int) Math.ceil(requests * part / 100);
  }
}
