/**
 * Creates the due runs of schedules and submits them, and answers questions about both. It decides
 * nothing itself: {@code studio.schedule} does.
 */
@NullMarked
package io.orrery.studio.due;

import org.jspecify.annotations.NullMarked;
