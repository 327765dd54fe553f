package io.orrery.gateway.launch;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the serving router of a server.
 *
 * @param port 0 for any free one
 * @param domain what every host ends with
 * @param file the table to begin with; null for the last one that was put
 */
record RouterConfig(String host, int port, String domain, @Nullable Path file) {}
