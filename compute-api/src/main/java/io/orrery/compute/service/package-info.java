/**
 * The contract of a training service, which runs attempts of trials and steps of runs. {@link
 * io.orrery.compute.service.TrainingService} is the contract, and its suite
 * TrainingServiceContract, in the test jar of this module, drives every implementation through the
 * same life. A training service sees neither the database nor the bus.
 */
@NullMarked
package io.orrery.compute.service;

import org.jspecify.annotations.NullMarked;
