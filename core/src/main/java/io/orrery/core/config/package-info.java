/**
 * Server configuration: one declaration per key with its default, bounds and sentence; file,
 * environment and flags read in one place.
 */
@NullMarked
package io.orrery.core.config;

import org.jspecify.annotations.NullMarked;
