package io.orrery.core.bus.contract;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Topic;
import io.orrery.core.route.RouteLayer;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The requests for the route table and its traffic, which the routers answer. */
public final class Routes {
  /** The table in force, with the state and the traffic of every service. */
  public static final Address<Show, Table> SHOW =
      new Address<>("routes.show", Show.class, Table.class);

  /**
   * Puts another layer {@link RouteLayer#TABLE} in force, whole, or refuses it whole; what is under
   * way ends on the old one. Conflict when this server runs no router, when another table is in
   * force than was meant, and when a service name or host is in another layer.
   */
  public static final Address<Replace, Table> REPLACE =
      new Address<>("routes.replace", Replace.class, Table.class);

  /** Checks a table as {@link #REPLACE} does; answers with the one that is in force. */
  public static final Address<Replace, Table> CHECK_REPLACE =
      new Address<>("routes.checkReplace", Replace.class, Table.class);

  /**
   * Checks a layer against the others of one router, and changes nothing. Refused with all
   * findings; Conflict when a service name or host is in another layer.
   */
  public static final Address<Check, Checked> CHECK =
      new Address<>("routes.check", Check.class, Checked.class).waiting(Address.LONG);

  /**
   * The requests under way of endpoints and services, of all routers together. A request goes to
   * one router process only; so the orchestrator answers this one: it publishes {@link #COUNT} and
   * adds up what each router publishes as {@link #COUNTED}, for at most two seconds.
   */
  public static final Address<AskTraffic, Traffic> TRAFFIC =
      new Address<>("routelayers.traffic", AskTraffic.class, Traffic.class);

  /** Has every router process count. */
  public static final Topic<Count> COUNT = new Topic<>("routes.count", Count.class);

  /** Told at once when requests begin to wait for an endpoint, and again while they do. */
  public static final Topic<WaitingRequests> HELD =
      new Topic<>("routes.held", WaitingRequests.class);

  /** The counts of one router process. */
  public static final Topic<Counted> COUNTED = new Topic<>("routes.counted", Counted.class);

  /** The requests under a rate that one router process has had since it told last. */
  public static final Topic<RateCounts> RATES = new Topic<>("routes.rates", RateCounts.class);

  private Routes() {}

  public record Show() {}

  /**
   * A request to replace the route table.
   *
   * @param document {@code {services: […]}}, YAML or JSON
   * @param revision of the table that this one is made from; null replaces any
   */
  public record Replace(String document, @Nullable String revision) {}

  /**
   * The route table with its state.
   *
   * @param services as they were written, each with its {@code layer} and {@code state}
   * @param departed endpoints of services that are in no layer any more, while requests are under
   *     way: {@code {service, endpoint, outstanding}}
   * @param revision the same for the same services as written, another for others
   */
  public record Table(List<JsonNode> services, List<JsonNode> departed, String revision) {
    public Table {
      departed = List.copyOf(departed);
      services = List.copyOf(services);
    }
  }

  /** A layer to be checked, as in {@link RouteLayers.Put}. */
  public record Check(RouteLayer layer, String document) {}

  /**
   * The answer to {@link Check} for a layer without a fault.
   *
   * @param checked false when that server runs no router, so that nothing was compared
   */
  public record Checked(boolean checked) {}

  /**
   * A request for counts.
   *
   * @param endpoints {@code host:port}, as tables have them
   * @param services ids: the name, after {@code test.} or {@code debug.} in these stages
   * @param versions whether the answers of each service are told by those who gave them
   */
  public record AskTraffic(List<String> endpoints, List<String> services, boolean versions) {
    public AskTraffic {
      endpoints = List.copyOf(endpoints);
      services = List.copyOf(services);
    }
  }

  /**
   * The counts of all routers.
   *
   * @param routers the router processes that live, by the list of members
   * @param answered those of them that have answered; the others are not in the counts
   * @param studio the lowest revision of {@link RouteLayer#STUDIO} that is in force at a router
   *     that has answered; {@link Long#MAX_VALUE} when none routes
   * @param endpoints in the order of the question
   * @param services in the order of the question
   */
  public record Traffic(
      int routers,
      int answered,
      long studio,
      List<EndpointTraffic> endpoints,
      List<ServiceTraffic> services) {
    public Traffic {
      endpoints = List.copyOf(endpoints);
      services = List.copyOf(services);
    }

    /** Whether every router has this revision of {@link RouteLayer#STUDIO} in force. */
    public boolean isInForce(long revision) {
      return answered >= routers && studio >= revision;
    }

    /** The endpoints to which no request is under way. */
    public Set<String> idle() {
      return endpoints.stream()
          .filter(each -> each.outstanding() == 0)
          .map(EndpointTraffic::endpoint)
          .collect(Collectors.toUnmodifiableSet());
    }
  }

  /**
   * The requests of an endpoint, in the table or departed from it.
   *
   * @param outstanding requests, upgraded connections and streams under way
   */
  public record EndpointTraffic(String endpoint, int outstanding) {}

  /**
   * The requests of a service; zeros for one that no router has.
   *
   * @param inFlight requests that it works on
   * @param held requests that wait because it has no endpoint
   * @param answers that it gave, for itself and for others, since the routers started; falls when
   *     one starts again
   * @param versions of the requests for its own hosts; empty when they were not asked for
   */
  public record ServiceTraffic(
      String service, int inFlight, int held, long answers, List<VersionAnswers> versions) {
    public ServiceTraffic {
      versions = List.copyOf(versions);
    }

    /** The traffic of a service that no router has. */
    public static ServiceTraffic none(String service) {
      return new ServiceTraffic(service, 0, 0, 0, List.of());
    }
  }

  /**
   * The answers that one service gave to the requests for another, or for itself.
   *
   * @param version the service that answered
   * @param codes the number of answers 1xx, 2xx, … 5xx since the routers started
   * @param times the number in each of the {@link io.orrery.core.route.LatencyBuckets}
   */
  public record VersionAnswers(String version, List<Long> codes, List<Long> times) {
    public VersionAnswers {
      codes = List.copyOf(codes);
      times = List.copyOf(times);
    }
  }

  /**
   * A hint that requests wait for an endpoint of services.
   *
   * @param services ids
   */
  public record WaitingRequests(List<String> services) {
    public WaitingRequests {
      services = List.copyOf(services);
    }
  }

  /**
   * The requests under a rate at one router process.
   *
   * @param source an id of the process
   */
  public record RateCounts(String source, List<RateCount> counts) {
    public RateCounts {
      counts = List.copyOf(counts);
    }
  }

  /**
   * The requests of one client, or of one key, for a service.
   *
   * @param service id
   * @param payer the network of the client, or the digest of the key
   * @param isKey whether it is a key
   * @param asked how many came
   * @param admitted how many of these were let in
   * @param each what one of them takes of the allowance, in nanoseconds
   */
  public record RateCount(
      String service, String payer, boolean isKey, long asked, long admitted, long each) {}

  /**
   * A question to all router processes.
   *
   * @param id of the question, for its answers
   */
  public record Count(String id, AskTraffic asked) {}

  /**
   * The answer of one router process.
   *
   * @param studio as in {@link Traffic}
   */
  public record Counted(
      String id, long studio, List<EndpointTraffic> endpoints, List<ServiceTraffic> services) {
    /** The revision that a process answers with which runs no router. */
    public static final long NO_ROUTER = Long.MAX_VALUE;

    public Counted {
      endpoints = List.copyOf(endpoints);
      services = List.copyOf(services);
    }

    /** Whether the process runs a router. */
    public boolean routes() {
      return studio != NO_ROUTER;
    }
  }
}
