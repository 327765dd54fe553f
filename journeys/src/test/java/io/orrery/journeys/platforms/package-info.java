/** Training services in the whole product: machines, clusters, batch services and jars. */
package io.orrery.journeys.platforms;
