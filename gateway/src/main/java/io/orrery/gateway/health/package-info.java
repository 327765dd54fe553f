/**
 * Whether the process lives and whether it can work, for supervisors and load balancers. Entry
 * type: {@link io.orrery.gateway.health.HealthApi}. It asks nothing that could wait.
 */
@NullMarked
package io.orrery.gateway.health;

import org.jspecify.annotations.NullMarked;
