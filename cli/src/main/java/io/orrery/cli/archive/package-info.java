/**
 * Experiments on their way from one server to another: {@code experiment save}, {@code load} and
 * {@code import-nni}. All three make or take the archive of the API.
 */
@NullMarked
package io.orrery.cli.archive;

import org.jspecify.annotations.NullMarked;
