/** The API of templates, pipelines and runs. */
@NullMarked
package io.orrery.gateway.pipeline;

import org.jspecify.annotations.NullMarked;
