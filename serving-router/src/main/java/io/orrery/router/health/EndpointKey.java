package io.orrery.router.health;

import io.orrery.router.route.EndpointAddress;
import io.orrery.router.route.Service;

/**
 * The identity of an endpoint over several tables.
 *
 * @param service id of the service that it belongs to
 */
record EndpointKey(String service, EndpointAddress address, Service.Protocol protocol) {}
