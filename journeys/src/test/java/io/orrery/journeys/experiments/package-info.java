/** Experiments from their files to results, archives and reports. */
package io.orrery.journeys.experiments;
