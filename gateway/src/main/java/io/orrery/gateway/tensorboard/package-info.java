/**
 * TensorBoard for trials: what one has reported as a file that it opens ({@link
 * io.orrery.gateway.tensorboard.EventFileApi}), and the program itself, started for some of them
 * ({@link io.orrery.gateway.tensorboard.BoardApi}). Nothing durable: files are made from the stored
 * points while they are sent, or for as long as a TensorBoard runs.
 */
@NullMarked
package io.orrery.gateway.tensorboard;

import org.jspecify.annotations.NullMarked;
