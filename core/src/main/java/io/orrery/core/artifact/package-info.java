/** Files that are kept by content: those of models and of runs. */
@NullMarked
package io.orrery.core.artifact;

import org.jspecify.annotations.NullMarked;
