/**
 * What a trial reported as files that TensorBoard opens. Entry type: {@link
 * io.orrery.gateway.tensorboard.TensorBoardApi}. Nothing is kept for it: a file is made from the
 * stored points while it is sent.
 */
@NullMarked
package io.orrery.gateway.tensorboard;

import org.jspecify.annotations.NullMarked;
