/** The API of the model registry. */
@NullMarked
package io.orrery.gateway.model;

import org.jspecify.annotations.NullMarked;
