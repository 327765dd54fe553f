/** The schemas of the documents that people write. It knows nothing of how they are read. */
@NullMarked
package io.orrery.core.schema;

import org.jspecify.annotations.NullMarked;
