/**
 * Checks of an installation, which the server and {@code orrery doctor} share: what was found, how
 * good that is, and what would help. Entry type: {@link io.orrery.core.check.CheckResult}. What
 * asks a disk or a network blocks.
 */
@NullMarked
package io.orrery.core.check;

import org.jspecify.annotations.NullMarked;
