/**
 * Experiments on their way from one server to another: {@code experiment save} and {@code load},
 * and {@code import-nni} and {@code import-optuna}. All make or take the archive of the API.
 */
@NullMarked
package io.orrery.cli.archive;

import org.jspecify.annotations.NullMarked;
