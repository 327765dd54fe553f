/**
 * NNI's own dispatcher, {@code python -m nni}: the program in which NNI runs its tuners, assessors
 * and advisors. A {@link io.orrery.tuner.dispatcher.DispatcherConnection} carries commands to it
 * and back, over the {@code /tuner} WebSocket (NNI 2.8 and later) or over two pipes (before). What
 * is said on it is the host's business.
 *
 * <p>Facts: NNI 1.9 to 3.0, {@code nni/runtime} and {@code nni_manager/core}.
 */
@NullMarked
package io.orrery.tuner.dispatcher;

import org.jspecify.annotations.NullMarked;
