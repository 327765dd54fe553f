/**
 * The training services that a server knows: its own and those of jars, opened when they are first
 * used.
 */
@NullMarked
package io.orrery.compute.catalog;

import org.jspecify.annotations.NullMarked;
