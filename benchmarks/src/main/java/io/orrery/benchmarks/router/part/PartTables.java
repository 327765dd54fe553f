package io.orrery.benchmarks.router.part;

import io.orrery.router.route.ClientAddress;
import io.orrery.router.route.RequestFacts;
import io.orrery.router.route.RouteReader;
import io.orrery.router.route.RouteTable;
import io.orrery.router.route.Split;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Tables to route by, and what is asked of them. */
final class PartTables {
  static final String DOMAIN = "orrery.localhost";

  private PartTables() {}

  /** A request of which only the host matters. */
  enum Plain implements RequestFacts {
    GET;

    private static final ClientAddress CLIENT = ClientAddress.of("127.0.0.1");

    @Override
    public String path() {
      return "/v2/infer";
    }

    @Override
    public @Nullable String header(String name) {
      return null;
    }

    @Override
    public @Nullable String cookie(String name) {
      return null;
    }

    @Override
    public ClientAddress client() {
      return CLIENT;
    }
  }

  /** One service for each domain. */
  static RouteTable plain(int domains) {
    StringBuilder text = new StringBuilder("services:\n");
    for (int i = 0; i < domains; i++) {
      text.append("  - {name: s").append(i).append(", endpoints: [\"127.0.0.1:9\"]}\n");
    }
    return RouteReader.read(text.toString(), DOMAIN);
  }

  /** Three versions. */
  static Split split() {
    RouteTable table =
        RouteReader.read(
            """
            services:
              - {name: a, endpoints: ["127.0.0.1:9"], split: "b:10%,c:5%"}
              - {name: b, endpoints: ["127.0.0.1:9"]}
              - {name: c, endpoints: ["127.0.0.1:9"]}
            """,
            DOMAIN);
    return table.split(table.services().getFirst());
  }

  /** Not the strings that the table has, as little as those of a request are; a power of two. */
  static String[] hosts(int domains) {
    SplittableRandom random = new SplittableRandom(domains);
    String[] hosts = new String[4_096];
    for (int i = 0; i < hosts.length; i++) {
      hosts[i] = "s" + random.nextInt(domains) + ".service." + DOMAIN;
    }
    return hosts;
  }
}
