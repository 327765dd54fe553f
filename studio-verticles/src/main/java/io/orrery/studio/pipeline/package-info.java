/**
 * Templates and pipelines: their documents with everything that is wrong in them, their versions,
 * and the freezing of a version into a complete specification of a run. What runs, and where, is
 * the orchestrator's.
 */
@NullMarked
package io.orrery.studio.pipeline;

import org.jspecify.annotations.NullMarked;
