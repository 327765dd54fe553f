package io.orrery.gateway.service;

import io.orrery.core.bus.contract.Services.Exposed;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * The address under which clients reach the serving router.
 *
 * @param domain that every host ends with
 * @param port asked for whenever an address is told, since the router may start later; 80 is left
 *     out of addresses
 * @param tcpHost the address of the ports of services
 */
public record RouterAddress(String domain, IntSupplier port, String tcpHost) {
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

  /** The address of a host. */
  public String url(String host) {
    int number = port.getAsInt();
    return "http://" + host + (number == USUAL ? "" : ":" + number) + "/";
  }
}
