/**
 * The contract of a compute platform, which runs attempts of trials. {@link
 * io.orrery.orchestrator.platform.TrainingService} is the contract, and its suite
 * TrainingServiceContract drives every implementation through the same life. A platform sees
 * neither the database nor the bus.
 */
@NullMarked
package io.orrery.orchestrator.platform;

import org.jspecify.annotations.NullMarked;
