/**
 * The registry of models: versions with where they come from, stages, aliases, and who uses them.
 */
@NullMarked
package io.orrery.studio.model;

import org.jspecify.annotations.NullMarked;
