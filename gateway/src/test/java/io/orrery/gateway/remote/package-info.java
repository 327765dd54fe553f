/** Trials on remote machines over the real edge, real SSH servers, and the real keeper. */
@org.jspecify.annotations.NullMarked
package io.orrery.gateway.remote;
