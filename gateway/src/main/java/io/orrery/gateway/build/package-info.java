/** The API of builds of images. */
@NullMarked
package io.orrery.gateway.build;

import org.jspecify.annotations.NullMarked;
