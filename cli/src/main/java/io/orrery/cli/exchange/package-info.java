/**
 * Experiments and runs in the forms of other programs: {@code orrery import} and {@code orrery
 * export}. Reads archives of the API and files of those programs; needs none of them.
 */
@NullMarked
package io.orrery.cli.exchange;

import org.jspecify.annotations.NullMarked;
