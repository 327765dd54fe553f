/**
 * Trials that share environments: an environment is an attempt of another platform that runs no
 * command of its own but takes trial after trial. Knows nothing of how that platform works; each
 * trial has a keeper of its own there, with all that follows. Entry type: {@link
 * io.orrery.compute.reuse.ReusingService}.
 */
@NullMarked
package io.orrery.compute.reuse;

import org.jspecify.annotations.NullMarked;
