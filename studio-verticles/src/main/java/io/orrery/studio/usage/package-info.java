/** The use of projects over time: what they hold, added up each minute, by span. */
@NullMarked
package io.orrery.studio.usage;

import org.jspecify.annotations.NullMarked;
