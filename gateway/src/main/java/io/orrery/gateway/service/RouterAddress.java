package io.orrery.gateway.service;

import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import java.util.function.IntSupplier;

/**
 * The address under which clients reach the serving router.
 *
 * @param domain that every host ends with
 * @param port asked for whenever an address is told, since the router may start later; 80 is left
 *     out of addresses
 */
public record RouterAddress(String domain, IntSupplier port) {
  private static final int USUAL = 80;

  /** The host of a service at a stage. */
  public String host(ServiceName name, ServiceStage stage) {
    return stage.prefix() + name + ".service." + domain;
  }

  /** The address of a host. */
  public String url(String host) {
    int number = port.getAsInt();
    return "http://" + host + (number == USUAL ? "" : ":" + number) + "/";
  }
}
