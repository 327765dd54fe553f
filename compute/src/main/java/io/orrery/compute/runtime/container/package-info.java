/**
 * The runtime of workloads that are containers of an engine with the Docker Engine API on a Unix
 * socket, such as Podman or Docker. {@link io.orrery.compute.runtime.container.ContainerRuntime} is
 * the door. Containers are restarted, probed and drained by the server, as processes are; the
 * engine pulls images, starts and ends containers, and keeps them when the server is away.
 */
@NullMarked
package io.orrery.compute.runtime.container;

import org.jspecify.annotations.NullMarked;
