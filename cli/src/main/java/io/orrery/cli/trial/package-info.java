/** The verbs under {@code orrery trial}. Entry type: {@link io.orrery.cli.trial.TrialVerbs}. */
@NullMarked
package io.orrery.cli.trial;

import org.jspecify.annotations.NullMarked;
