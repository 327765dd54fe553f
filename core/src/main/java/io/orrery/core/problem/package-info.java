/**
 * The failures of the product, as one sealed type that every module answers with and the edge maps
 * to RFC 9457.
 */
@NullMarked
package io.orrery.core.problem;

import org.jspecify.annotations.NullMarked;
