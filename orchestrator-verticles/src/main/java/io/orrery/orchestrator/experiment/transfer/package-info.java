/**
 * The choice of earlier experiments that a new one learns from. It reads their rows and histories
 * and changes nothing; how they are learnt from is the tuner module's concern.
 */
@NullMarked
package io.orrery.orchestrator.experiment.transfer;

import org.jspecify.annotations.NullMarked;
