/** The verbs about the model registry. */
@NullMarked
package io.orrery.cli.model;

import org.jspecify.annotations.NullMarked;
