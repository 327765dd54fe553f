/** x. */
@NullMarked
package io.orrery.orchestrator.spec;

import org.jspecify.annotations.NullMarked;
