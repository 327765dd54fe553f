/**
 * Directories of code as they are shipped: the files of one that go along ({@code .nniignore}), the
 * limits, the tar format that names a content by its digest, and fetching one from a Git
 * repository. Blocks; not for event loops.
 */
@NullMarked
package io.orrery.core.code;

import org.jspecify.annotations.NullMarked;
