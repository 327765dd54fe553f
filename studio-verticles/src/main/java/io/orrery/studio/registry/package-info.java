/**
 * Accounts of image registries and the catalogue of images, as they are stored. It never has the
 * key that opens a password, and asks no registry itself.
 */
@NullMarked
package io.orrery.studio.registry;

import org.jspecify.annotations.NullMarked;
