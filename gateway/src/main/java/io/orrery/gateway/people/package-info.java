/** The API of user accounts, of their personal tokens, and of the caller. */
@NullMarked
package io.orrery.gateway.people;

import org.jspecify.annotations.NullMarked;
