package io.orrery.router.health;

import io.orrery.router.route.EndpointAddress;
import io.orrery.router.route.EndpointTls;
import io.orrery.router.route.Service;
import org.jspecify.annotations.Nullable;

/**
 * The identity of an endpoint over several tables.
 *
 * @param service id of the service that it belongs to
 * @param tls null when it has none; other connections are other endpoints
 */
record EndpointKey(
    String service,
    EndpointAddress address,
    Service.Protocol protocol,
    @Nullable EndpointTls tls) {}
