/** The server's configuration as a command reads it, without the server. */
@NullMarked
package io.orrery.cli.config;

import org.jspecify.annotations.NullMarked;
