/** Servers: starts, homes and databases, several servers at once, and all that may fail. */
package io.orrery.journeys.servers;
