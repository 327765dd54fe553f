/**
 * The public REST API as the command line sees it: finding the server, asking it, and saying why it
 * could not. Entry type: {@link io.orrery.cli.client.Session}. Never prints a result: that is the
 * commands'.
 */
@NullMarked
package io.orrery.cli.client;

import org.jspecify.annotations.NullMarked;
