/**
 * Notebooks: documents that become workloads, each with an origin of its own, and expire when they
 * are not used. {@link io.orrery.studio.notebook.NotebookVerticle} answers questions; {@link
 * io.orrery.studio.notebook.NotebookController}, of which one server at a time has one, watches
 * them. It starts no program itself: the orchestrator does.
 */
@NullMarked
package io.orrery.studio.notebook;

import org.jspecify.annotations.NullMarked;
