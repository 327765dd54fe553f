/** The router, within a server and as a process alone, and its hostile clients. */
package io.orrery.journeys.router;
