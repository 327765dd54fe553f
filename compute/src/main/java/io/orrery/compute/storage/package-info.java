/**
 * Storage that trials share with the server, as {@code sharedStorage} of an experiment says: code
 * goes there and outputs come there, in NNI's layout, {@code nni/<experiment>} below a mounted
 * directory or in a container of Azure Blob Storage. Nothing is done with sudo. Trials work in a
 * mounted directory themselves; into a container the server puts what they have left.
 */
@NullMarked
package io.orrery.compute.storage;

import org.jspecify.annotations.NullMarked;
