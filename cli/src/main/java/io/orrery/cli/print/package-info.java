/**
 * The output for people: tables, times, the progress line. Entry type: {@link
 * io.orrery.cli.print.Terminal}. Everything here is a function of what it is given; it never asks
 * the server and never looks at the machine's clock.
 */
@NullMarked
package io.orrery.cli.print;

import org.jspecify.annotations.NullMarked;
