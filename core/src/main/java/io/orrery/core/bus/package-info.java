/**
 * The typed event bus. {@link io.orrery.core.bus.Bus} carries records between modules; each address
 * names its request and its answer. No string addresses and no JSON objects travel.
 */
@NullMarked
package io.orrery.core.bus;

import org.jspecify.annotations.NullMarked;
