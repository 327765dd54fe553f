package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.service.ServiceShare;
import java.util.List;

/**
 * The requests for hosts that several workloads share. The orchestrator answers: it keeps them in
 * the layer of the route table that it writes.
 */
public final class DomainRoutes {
  /** Says how the requests of a host are divided; durable before it is answered. */
  public static final Address<DomainRoute, Done> PUT =
      new Address<>("workloads.putdomain", DomainRoute.class, Done.class);

  /** Takes a host out of the table. */
  public static final Address<Drop, Done> DROP =
      new Address<>("workloads.dropdomain", Drop.class, Done.class);

  public static final Address<ListAll, Listed> LIST =
      new Address<>("workloads.listdomains", ListAll.class, Listed.class);

  private DomainRoutes() {}

  /**
   * A host and its services.
   *
   * @param revision an older one than is known changes nothing
   * @param shares the percents are 100 together; the part of a service that cannot answer goes to
   *     the first one that can
   * @param shadows that get copies
   */
  public record DomainRoute(
      String host, long revision, List<ServiceShare> shares, List<ServiceShare> shadows) {
    public DomainRoute {
      shares = List.copyOf(shares);
      shadows = List.copyOf(shadows);
    }
  }

  public record Drop(String host) {}

  public record ListAll() {}

  public record Listed(List<DomainRoute> items) {
    public Listed {
      items = List.copyOf(items);
    }
  }
}
