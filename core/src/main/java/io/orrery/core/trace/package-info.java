/** Spans of distributed traces around work inside the process. */
@NullMarked
package io.orrery.core.trace;

import org.jspecify.annotations.NullMarked;
