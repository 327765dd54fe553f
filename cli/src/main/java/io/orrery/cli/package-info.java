/**
 * The {@code orrery} command: a client of the public REST API that knows nothing the API does not
 * say. Entry type: {@link io.orrery.cli.Orrery}. It must start quickly, so nothing here scans, logs
 * or opens a connection before a verb needs it.
 */
@NullMarked
package io.orrery.cli;

import org.jspecify.annotations.NullMarked;
