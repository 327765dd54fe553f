/**
 * The packed code of experiments, each content once. Entry type: {@link
 * io.orrery.orchestrator.code.CodeStore}. Blocks; not for event loops.
 */
@NullMarked
package io.orrery.orchestrator.code;

import org.jspecify.annotations.NullMarked;
