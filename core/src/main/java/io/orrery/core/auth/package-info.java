/**
 * The credentials of a caller. Entry type: {@link io.orrery.core.auth.BearerToken}. Only the
 * fingerprint of a token is ever stored or compared; its text goes to the one who asked for it.
 */
@NullMarked
package io.orrery.core.auth;

import org.jspecify.annotations.NullMarked;
