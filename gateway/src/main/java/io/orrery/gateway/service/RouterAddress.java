package io.orrery.gateway.service;

import io.orrery.core.bus.contract.Services.Exposed;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import java.net.URI;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The address under which clients reach the serving router.
 *
 * @param domain that every host ends with
 * @param port asked for whenever an address is told, since the router may start later; 80 is left
 *     out of addresses
 * @param tcpHost the address of the ports of services
 * @param advertised the scheme and port under which clients reach services; null for those of the
 *     server's own router
 */
public record RouterAddress(
    String domain, IntSupplier port, String tcpHost, @Nullable URI advertised) {
  private static final int USUAL = 80;

  /** The host of a service at a stage. */
  public String host(ServiceName name, ServiceStage stage) {
    return stage.prefix() + name + ".service." + domain;
  }

  /** The addresses of a port of a service. */
  public List<String> tcp(Exposed exposed) {
    List<String> hosts = exposed.hosts().isEmpty() ? List.of(tcpHost) : exposed.hosts();
    return hosts.stream()
        .map(host ->
            "tcp://%s:%d"
                .formatted(host.indexOf(':') < 0 ? host : "[" + host + "]", exposed.number()))
        .toList();
  }

  /** The address of a host, as clients have it. */
  public String url(String host) {
    return advertised == null
        ? guarded(host)
        : advertised.getScheme()
            + "://"
            + host
            + (advertised.getPort() < 0 ? "" : ":" + advertised.getPort())
            + "/";
  }

  /** The address of a host that asks for passes: routers that follow a server know none. */
  public String guarded(String host) {
    int number = port.getAsInt();
    return "http://" + host + (number == USUAL ? "" : ":" + number) + "/";
  }
}
