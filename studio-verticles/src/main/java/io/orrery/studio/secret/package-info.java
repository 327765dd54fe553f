/** The secrets of projects: set and used, and never shown. It never has the key that opens them. */
@NullMarked
package io.orrery.studio.secret;

import org.jspecify.annotations.NullMarked;
