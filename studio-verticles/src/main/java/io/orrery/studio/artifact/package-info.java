/**
 * Files kept by content below a directory of the server, and the trees in which models and runs
 * have them under paths.
 */
@NullMarked
package io.orrery.studio.artifact;

import org.jspecify.annotations.NullMarked;
