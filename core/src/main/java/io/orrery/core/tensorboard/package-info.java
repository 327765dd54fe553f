/**
 * TensorBoard's event files, as far as scalars go: {@link
 * io.orrery.core.tensorboard.EventFileWriter} makes them, {@link
 * io.orrery.core.tensorboard.EventFileReader} reads them while they grow. The form is TensorFlow's
 * ({@code tensorflow/core/util/event.proto}, {@code tensorflow/core/lib/io/record_writer.h}); none
 * of its libraries is needed for it.
 */
@NullMarked
package io.orrery.core.tensorboard;

import org.jspecify.annotations.NullMarked;
