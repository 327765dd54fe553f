/** The retention of old objects: rules that say how long, and passes that remove what is older. */
@NullMarked
package io.orrery.studio.retention;

import org.jspecify.annotations.NullMarked;
