/** Pipelines from their documents to artifacts and alerts: steps, schedules and places. */
package io.orrery.journeys.pipelines;
