/**
 * Trials over HTTP: their list and their life ({@link io.orrery.gateway.trial.TrialApi}), what they
 * wrote ({@link io.orrery.gateway.trial.LogApi}), and all results as one file ({@link
 * io.orrery.gateway.trial.ExportApi}). Logs and exports are streamed: neither is ever in memory as
 * a whole.
 */
@NullMarked
package io.orrery.gateway.trial;

import org.jspecify.annotations.NullMarked;
