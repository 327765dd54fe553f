/** Amounts that projects and their members may use at once, and how they are written. */
@NullMarked
package io.orrery.core.quota;

import org.jspecify.annotations.NullMarked;
