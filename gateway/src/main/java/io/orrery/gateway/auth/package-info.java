/**
 * The authentication of callers, and their permissions. {@link io.orrery.gateway.auth.Access}
 * decides over every request before its path is looked up, by a bearer token or by the session that
 * a browser got for one; {@link io.orrery.gateway.auth.SessionApi} opens and ends sessions. Tokens
 * are known by their SHA-256 alone, and no secret ever appears in a log or in an answer.
 */
@NullMarked
package io.orrery.gateway.auth;

import org.jspecify.annotations.NullMarked;
