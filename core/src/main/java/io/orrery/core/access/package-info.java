/**
 * The permissions of callers: who asks ({@link io.orrery.core.access.Caller}), what for ({@link
 * io.orrery.core.access.Need}), on whose object ({@link io.orrery.core.access.ResourceOwner}), and
 * the one function that decides ({@link io.orrery.core.access.Permits}). Pure: nothing here asks a
 * store or the network.
 */
@NullMarked
package io.orrery.core.access;

import org.jspecify.annotations.NullMarked;
