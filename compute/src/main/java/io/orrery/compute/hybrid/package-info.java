/**
 * Several platforms that share the trials of one experiment. It runs nothing itself: each attempt
 * is handed to one of the server's other platforms, where it lives under its own name, and what
 * happens to it is told by that one. Here is only where each one goes: {@code PlatformLoad} is what
 * is known of a platform, {@code PlatformChoice} decides by it, {@code PlatformStats} counts what
 * became of it, and {@link io.orrery.compute.hybrid.HybridService} carries it out.
 */
@NullMarked
package io.orrery.compute.hybrid;

import org.jspecify.annotations.NullMarked;
