/** The API of accounts of image registries, and of the catalogue of images. */
@NullMarked
package io.orrery.gateway.registry;

import org.jspecify.annotations.NullMarked;
