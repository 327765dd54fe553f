/**
 * Deployments in production, as far as something steers them: the rollouts of their domains, their
 * upgrades and their scaling.
 */
@NullMarked
package io.orrery.studio.deployment;

import org.jspecify.annotations.NullMarked;
