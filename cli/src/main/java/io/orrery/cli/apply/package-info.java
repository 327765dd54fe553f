/** The commands that work on documents of any kind: apply, get, describe and delete. */
@NullMarked
package io.orrery.cli.apply;

import org.jspecify.annotations.NullMarked;
