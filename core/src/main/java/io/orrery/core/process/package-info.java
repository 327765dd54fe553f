/**
 * The interface to the operating system and to child processes: signals, users and environments.
 */
@NullMarked
package io.orrery.core.process;

import org.jspecify.annotations.NullMarked;
