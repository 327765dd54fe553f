/**
 * Handing attempts to their platforms. {@link io.orrery.orchestrator.submission.SubmissionVerticle}
 * takes them from all experiments, and a {@link io.orrery.orchestrator.submission.Gate} for each
 * platform hands them over, by the shares of the experiments and a bounded number at a time, so
 * that a giant experiment does not starve a small one. It decides nothing about trials.
 */
@NullMarked
package io.orrery.orchestrator.submission;

import org.jspecify.annotations.NullMarked;
