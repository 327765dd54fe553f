/**
 * The API of the files of people. It reads and writes their directories on the server without
 * following links, and the claims of their notebooks by a program that it runs in a pod; how that
 * comes to run is the orchestrator's matter.
 */
@NullMarked
package io.orrery.gateway.workspace;

import org.jspecify.annotations.NullMarked;
