/** Platforms on Kubernetes over the real edge, with the real keeper. */
@org.jspecify.annotations.NullMarked
package io.orrery.gateway.kubernetes;
