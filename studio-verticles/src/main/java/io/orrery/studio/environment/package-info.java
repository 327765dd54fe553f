/**
 * Environments of Python packages, as documents name them in the place of an image. It asks for
 * builds and keeps nothing.
 */
@NullMarked
package io.orrery.studio.environment;

import org.jspecify.annotations.NullMarked;
