package io.orrery.router.proxy;

import io.orrery.router.health.ServiceState;

/**
 * A request, and where the table sends it.
 *
 * @param authority the host that was asked for, as the client wrote it
 * @param owner whose host that is
 * @param target who is to answer: the owner, or a version that it shares its requests with
 */
record Call(Facts facts, String authority, ServiceState owner, ServiceState target) {}
