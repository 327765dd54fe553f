/**
 * The directory of all experiments of a server: it creates, restores, lists and deletes them, and
 * finds an owner for each that runs.
 */
@NullMarked
package io.orrery.orchestrator.experiment.directory;

import org.jspecify.annotations.NullMarked;
