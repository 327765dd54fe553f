/**
 * Passwords and tokens that a configuration needs and that must stay secret: {@link
 * io.orrery.compute.secret.SecretBox} keeps them sealed wherever a specification goes, and opens
 * them where a platform logs in.
 */
@NullMarked
package io.orrery.compute.secret;

import org.jspecify.annotations.NullMarked;
