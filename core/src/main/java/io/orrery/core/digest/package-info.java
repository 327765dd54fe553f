/** Names of contents: equal content, equal name. */
@NullMarked
package io.orrery.core.digest;

import org.jspecify.annotations.NullMarked;
