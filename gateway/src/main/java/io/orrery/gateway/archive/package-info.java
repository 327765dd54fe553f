/**
 * An experiment as one document, to be taken to another server: a line of JSON for itself, then a
 * line for each trial with all that it reported. Entry type: {@link
 * io.orrery.gateway.archive.ArchiveApi}.
 */
@NullMarked
package io.orrery.gateway.archive;

import org.jspecify.annotations.NullMarked;
