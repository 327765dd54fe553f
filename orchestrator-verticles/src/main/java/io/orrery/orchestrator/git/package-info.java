/**
 * Fetches code of experiments from Git repositories. It runs the program {@code git} and nothing of
 * a repository; it must not reach networks that the operator has not allowed.
 */
@NullMarked
package io.orrery.orchestrator.git;

import org.jspecify.annotations.NullMarked;
