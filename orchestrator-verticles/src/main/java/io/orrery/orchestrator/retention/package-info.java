/**
 * The files that builds and code have left on this machine, and their removal once nothing in the
 * orchestrator's tables names them. It starts nothing but the program that removes an environment.
 */
@NullMarked
package io.orrery.orchestrator.retention;

import org.jspecify.annotations.NullMarked;
