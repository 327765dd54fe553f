/** Tracked runs and registered models, MLflow's clients, and TensorBoards. */
package io.orrery.journeys.tracking;
