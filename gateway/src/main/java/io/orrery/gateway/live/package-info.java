/**
 * What changes, told while it changes: server-sent events for one experiment and for all. Entry
 * type: {@link io.orrery.gateway.live.EventStream}. A {@link io.orrery.gateway.live.Feed} gathers
 * what happened, encodes it once and keeps it for a while; a {@link
 * io.orrery.gateway.live.Listener} is nothing but a place in it. A slow reader must never hold more
 * than its place.
 */
@NullMarked
package io.orrery.gateway.live;

import org.jspecify.annotations.NullMarked;
