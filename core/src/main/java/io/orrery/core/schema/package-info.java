/**
 * The schemas of what people write: of the documents of {@code apply}, and of the sections of an
 * experiment file, whose keys are declared as {@link io.orrery.core.schema.Field} and read with
 * each fault at its place by a {@link io.orrery.core.schema.Walk}.
 */
@NullMarked
package io.orrery.core.schema;

import org.jspecify.annotations.NullMarked;
