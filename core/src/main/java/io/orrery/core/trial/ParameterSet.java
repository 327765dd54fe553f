package io.orrery.core.trial;

import org.jspecify.annotations.Nullable;

/**
 * What a trial was given to try. A trial may be given several, one after another (multi-phase); a
 * result names the one that it belongs to.
 *
 * @param index 0 for the first of the trial
 * @param parameterId the tuner's number of this suggestion, as text (Hyperband's are not numbers);
 *     null when a user chose the values
 */
public record ParameterSet(
    int index, @Nullable String parameterId, ParameterSource source, Parameters values) {}
