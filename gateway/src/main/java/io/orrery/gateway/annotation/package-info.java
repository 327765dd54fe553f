/** The notes and tags of experiments and trials over HTTP; the orchestrator keeps them. */
@NullMarked
package io.orrery.gateway.annotation;

import org.jspecify.annotations.NullMarked;
