/** The vocabulary of notebooks. Pure values. */
@NullMarked
package io.orrery.core.notebook;

import org.jspecify.annotations.NullMarked;
