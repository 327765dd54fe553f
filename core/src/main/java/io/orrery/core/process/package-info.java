/** What the operating system tells this process. */
@NullMarked
package io.orrery.core.process;

import org.jspecify.annotations.NullMarked;
