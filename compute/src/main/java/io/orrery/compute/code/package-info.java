/**
 * The packed code of experiments, each content once. Entry type: {@link
 * io.orrery.compute.code.CodeStore}. Blocks; not for event loops.
 */
@NullMarked
package io.orrery.compute.code;

import org.jspecify.annotations.NullMarked;
