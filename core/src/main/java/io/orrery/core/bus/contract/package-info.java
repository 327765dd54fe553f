/**
 * Every address of the product, with the records that travel on it. A module talks to another
 * through these and never through its classes.
 */
@NullMarked
package io.orrery.core.bus.contract;

import org.jspecify.annotations.NullMarked;
