/**
 * Batch services end to end: the contract of training services, with jobs that run as processes
 * behind stand-ins of their REST APIs, and keepers that talk to the real edge.
 */
@NullMarked
package io.orrery.gateway.batch;

import org.jspecify.annotations.NullMarked;
