/**
 * The cooperation of several servers: the bus that they share ({@link
 * io.orrery.gateway.cluster.ClusteredVertx}), what only one of them does at a time ({@link
 * io.orrery.gateway.cluster.LeasedDuty}), and who they are. What belongs to whom is decided by the
 * leases of the database ({@link io.orrery.core.lease}), never by the cluster manager: it only
 * finds the way.
 */
@NullMarked
package io.orrery.gateway.cluster;

import org.jspecify.annotations.NullMarked;
