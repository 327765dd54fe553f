/** The names of container images, and of the registries that have them. */
@NullMarked
package io.orrery.core.image;

import org.jspecify.annotations.NullMarked;
