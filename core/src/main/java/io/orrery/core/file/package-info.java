/** Files that are whole or not there. */
@NullMarked
package io.orrery.core.file;

import org.jspecify.annotations.NullMarked;
