/** The defaults that experiments and steps take from the settings of their project. */
@NullMarked
package io.orrery.orchestrator.project;

import org.jspecify.annotations.NullMarked;
