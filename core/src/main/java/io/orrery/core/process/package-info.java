/** What passes between this process, the operating system and the processes that it starts. */
@NullMarked
package io.orrery.core.process;

import org.jspecify.annotations.NullMarked;
