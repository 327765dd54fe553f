/**
 * The one HTTP edge and the process around it. {@link io.orrery.gateway.Edge} assembles the edge
 * from its parts: each part translates between HTTP and one question on the bus, and none of them
 * decides anything.
 */
@NullMarked
package io.orrery.gateway;

import org.jspecify.annotations.NullMarked;
