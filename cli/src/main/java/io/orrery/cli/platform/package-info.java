/**
 * The verbs under {@code orrery platform}. Entry type: {@link
 * io.orrery.cli.platform.PlatformCommand}.
 */
@NullMarked
package io.orrery.cli.platform;

import org.jspecify.annotations.NullMarked;
