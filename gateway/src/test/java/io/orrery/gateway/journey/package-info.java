/**
 * The few tests that run the product whole, as a process, through what users see of it: the
 * commands and the HTTP API.
 */
package io.orrery.gateway.journey;
