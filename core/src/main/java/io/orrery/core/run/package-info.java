/**
 * The vocabulary of pipelines that run: a run, its steps, their values, outputs and artifacts. A
 * {@link io.orrery.core.run.RunSpec} is complete: nothing in it is looked up in a template or
 * pipeline again.
 */
@NullMarked
package io.orrery.core.run;

import org.jspecify.annotations.NullMarked;
