/**
 * Builds of images, as they are stored: documents, and what has become of each start. It builds
 * nothing itself; the orchestrator asks for what is to be built and reports.
 */
@NullMarked
package io.orrery.studio.build;

import org.jspecify.annotations.NullMarked;
