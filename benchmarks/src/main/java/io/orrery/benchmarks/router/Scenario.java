package io.orrery.benchmarks.router;

import java.util.Arrays;
import java.util.List;

/**
 * What is asked of every proxy.
 *
 * @param connections of clients, each with one request under way
 * @param request bytes of the request's body; 0 is a GET
 * @param domains that the proxy knows; the first is asked for
 * @param shadow what becomes of copies
 * @param canary the percentage that goes to the second service
 */
record Scenario(String name, int connections, int request, int domains, Shadow shadow, int canary) {
  enum Shadow {
    NONE,
    ANSWERS,
    DEAD
  }

  private static final List<Scenario> ALL =
      List.of(
          new Scenario("get", 64, 0, 1, Shadow.NONE, 0),
          new Scenario("post-1k", 64, 1024, 1, Shadow.NONE, 0),
          new Scenario("post-100k", 64, 102_400, 1, Shadow.NONE, 0),
          new Scenario("split", 64, 0, 1, Shadow.NONE, 10),
          new Scenario("mirror", 64, 1024, 1, Shadow.ANSWERS, 0),
          new Scenario("mirror-dead", 64, 1024, 1, Shadow.DEAD, 0),
          new Scenario("domains", 64, 0, 1000, Shadow.NONE, 0),
          new Scenario("connections", 2000, 0, 1, Shadow.NONE, 0));

  static List<Scenario> all() {
    return ALL;
  }

  /** IllegalArgumentException for a name that none has. */
  static Scenario named(String name) {
    return ALL.stream()
        .filter(scenario -> scenario.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "there is no scenario "
                    + name
                    + "; there are "
                    + Arrays.toString(ALL.stream().map(Scenario::name).toArray())));
  }

  /** The host that clients ask for. */
  String host() {
    return host(0);
  }

  static String host(int domain) {
    return "s" + domain + ".service.orrery.localhost";
  }
}
