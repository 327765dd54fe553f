/**
 * The status of the server: checks of what it works with, the servers beside it, the room on its
 * disks, and what its nightly jobs have done. Entry types: {@link
 * io.orrery.gateway.status.StatusApi} and {@link io.orrery.gateway.status.StatusBoard}. However
 * often it is asked, each check runs once at a time and its result is kept for some seconds.
 */
@NullMarked
package io.orrery.gateway.status;

import org.jspecify.annotations.NullMarked;
