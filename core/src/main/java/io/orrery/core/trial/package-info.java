/**
 * One attempt after another at one set of parameters: identities, statuses and the views that other
 * modules see. Entry type: {@link io.orrery.core.trial.Trial}.
 */
@NullMarked
package io.orrery.core.trial;

import org.jspecify.annotations.NullMarked;
