/** Words that people mistype, names, and text as URLs have it. */
@NullMarked
package io.orrery.core.text;

import org.jspecify.annotations.NullMarked;
