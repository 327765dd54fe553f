/** The verbs about files of a person. */
@NullMarked
package io.orrery.cli.files;

import org.jspecify.annotations.NullMarked;
