/** The verbs under {@code orrery trial}. Entry type: {@link io.orrery.cli.trial.TrialCommand}. */
@NullMarked
package io.orrery.cli.trial;

import org.jspecify.annotations.NullMarked;
