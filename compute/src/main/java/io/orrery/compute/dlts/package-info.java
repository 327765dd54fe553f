/**
 * The platform {@code dlts}: attempts as jobs of a DLTS cluster (Microsoft's DL Workspace), by the
 * REST API of its dashboard. What is not DLTS's own is in {@link io.orrery.compute.batch}.
 */
@NullMarked
package io.orrery.compute.dlts;

import org.jspecify.annotations.NullMarked;
