/**
 * The leases of servers that share a store: one {@link io.orrery.core.lease.Member} at a time has
 * the {@link io.orrery.core.lease.Lease} of a thing, for as long as the database hears of it, and
 * what another writes in its place is refused by the database. A server that has its store alone
 * has every lease.
 */
@NullMarked
package io.orrery.core.lease;

import org.jspecify.annotations.NullMarked;
