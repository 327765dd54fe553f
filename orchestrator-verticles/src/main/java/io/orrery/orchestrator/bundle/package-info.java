/** Uploaded code: stored in parts, and unpacked on the machine that runs it. */
@NullMarked
package io.orrery.orchestrator.bundle;

import org.jspecify.annotations.NullMarked;
