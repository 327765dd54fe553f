/**
 * The identifiers of experiments, trials and attempts: the words by which all packages name them,
 * below those that say what they are.
 */
@NullMarked
package io.orrery.core.id;

import org.jspecify.annotations.NullMarked;
