/**
 * The live updates: server-sent events for one experiment and for all. Entry type: {@link
 * io.orrery.gateway.live.EventStream}. A {@link io.orrery.gateway.live.Feed} collects changes,
 * encodes them once and keeps them for a while; a {@link io.orrery.gateway.live.Listener} is a
 * position in it. A slow reader must never hold more than its position.
 */
@NullMarked
package io.orrery.gateway.live;

import org.jspecify.annotations.NullMarked;
