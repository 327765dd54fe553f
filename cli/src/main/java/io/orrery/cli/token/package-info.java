/**
 * Tokens for those who may use a server. Entry type: {@link io.orrery.cli.token.TokenCommand}.
 * Needs no server and keeps nothing: what is printed is all there is.
 */
@NullMarked
package io.orrery.cli.token;

import org.jspecify.annotations.NullMarked;
