/**
 * The health checks for supervisors and load balancers: liveness and readiness. Entry type: {@link
 * io.orrery.gateway.health.HealthApi}. It asks nothing that could wait.
 */
@NullMarked
package io.orrery.gateway.health;

import org.jspecify.annotations.NullMarked;
