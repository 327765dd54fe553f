/**
 * Starting, finding and ending the server process. Entry types: {@link
 * io.orrery.cli.server.UpCommand} and {@link io.orrery.cli.server.BackgroundServer}. The server
 * itself is not here: the process's entry point hands it in as a {@link
 * io.orrery.cli.server.ServerLauncher}.
 */
@NullMarked
package io.orrery.cli.server;

import org.jspecify.annotations.NullMarked;
