/**
 * The live updates as server-sent events, whatever they are about: a feature has its {@link
 * io.orrery.gateway.live.News} and its routes in its own package. Entry type: {@link
 * io.orrery.gateway.live.EventStreams}. A {@link io.orrery.gateway.live.Feed} collects changes,
 * encodes them once and keeps them for a while; a {@link io.orrery.gateway.live.Listener} is a
 * position in it. A slow reader must never hold more than its position.
 */
@NullMarked
package io.orrery.gateway.live;

import org.jspecify.annotations.NullMarked;
