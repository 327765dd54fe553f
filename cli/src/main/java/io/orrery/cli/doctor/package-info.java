/** The self check of an installation, {@code orrery doctor}, and its support bundle. */
@NullMarked
package io.orrery.cli.doctor;

import org.jspecify.annotations.NullMarked;
