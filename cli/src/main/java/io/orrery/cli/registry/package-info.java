/** The verbs about accounts of image registries, and about the catalogue of images. */
@NullMarked
package io.orrery.cli.registry;

import org.jspecify.annotations.NullMarked;
