/** Words that people mistype: finding the one that they meant. */
@NullMarked
package io.orrery.core.text;

import org.jspecify.annotations.NullMarked;
