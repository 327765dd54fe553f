/** The names and stages of models in the registry. */
@NullMarked
package io.orrery.core.model;

import org.jspecify.annotations.NullMarked;
