/** Caches that hold a bounded number of entries. */
@NullMarked
package io.orrery.core.cache;

import org.jspecify.annotations.NullMarked;
