/** Copies of a server's home: {@code orrery backup} and {@code orrery restore}. */
@NullMarked
package io.orrery.cli.backup;

import org.jspecify.annotations.NullMarked;
