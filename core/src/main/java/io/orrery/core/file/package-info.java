/**
 * Files that are whole or not there: small ones ({@code DurableFile}, {@code JsonFile}, {@code
 * KeptFile}), the parts of which large ones are made ({@code SyncedFile}), and files of others that
 * must not lead out of a directory ({@code ConfinedFile}).
 */
@NullMarked
package io.orrery.core.file;

import org.jspecify.annotations.NullMarked;
