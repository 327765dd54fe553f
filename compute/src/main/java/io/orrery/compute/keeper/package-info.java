/**
 * The server's side of trial keepers: what they are started with, what they bring home, and what
 * platforms learn of them. Entry type: {@link io.orrery.compute.keeper.KeeperVerticle}. Holds in
 * memory who is running, and nothing that is not on the disk as well.
 */
@NullMarked
package io.orrery.compute.keeper;

import org.jspecify.annotations.NullMarked;
