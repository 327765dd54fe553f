/** The verbs about templates, pipelines and runs. */
@NullMarked
package io.orrery.cli.pipeline;

import org.jspecify.annotations.NullMarked;
