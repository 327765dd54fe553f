/** Reading documents of users key by key, with everything that is wrong in them. */
@NullMarked
package io.orrery.studio.document;

import org.jspecify.annotations.NullMarked;
