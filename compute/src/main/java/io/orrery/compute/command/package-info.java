/** The command of a trial or step, with its parameters as placeholders, flags and variables. */
@NullMarked
package io.orrery.compute.command;

import org.jspecify.annotations.NullMarked;
