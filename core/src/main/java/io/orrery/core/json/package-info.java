/** The one JSON mapper of the product, and YAML read with the place of every node kept. */
@NullMarked
package io.orrery.core.json;

import org.jspecify.annotations.NullMarked;
