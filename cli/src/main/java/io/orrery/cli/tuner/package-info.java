/** The verbs under {@code orrery tuner}. Entry type: {@link io.orrery.cli.tuner.TunerCommand}. */
@NullMarked
package io.orrery.cli.tuner;

import org.jspecify.annotations.NullMarked;
