/** Images and environments: how they are built, pushed, fetched and removed. */
package io.orrery.journeys.images;
