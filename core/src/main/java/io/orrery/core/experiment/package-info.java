/**
 * The data of an experiment: its specification and its status. Data only: which status follows
 * which is the orchestrator's business.
 */
@NullMarked
package io.orrery.core.experiment;

import org.jspecify.annotations.NullMarked;
