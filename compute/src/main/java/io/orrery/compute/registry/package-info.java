/**
 * Asks image registries: logs in with the accounts of projects, and looks whether images are there.
 * It opens a password in memory, right before it is sent, and knows nothing of containers.
 *
 * @see <a href="https://distribution.github.io/distribution/spec/api/">Registry HTTP API v2</a>
 */
@NullMarked
package io.orrery.compute.registry;

import org.jspecify.annotations.NullMarked;
