/** {@code orrery route}: the serving router alone, in this process. */
@NullMarked
package io.orrery.cli.route;

import org.jspecify.annotations.NullMarked;
