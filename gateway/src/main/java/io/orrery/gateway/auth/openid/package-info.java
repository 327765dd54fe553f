/**
 * The sign-in at an OpenID provider: authorization code flow with PKCE. {@link
 * io.orrery.gateway.auth.openid.OpenIdSignIn} begins and ends a flow; between both nothing is kept
 * here, because the browser has a signed ticket. What a provider answers is believed only after it
 * has been checked, and neither the client's secret nor a token of the provider is ever shown.
 */
@NullMarked
package io.orrery.gateway.auth.openid;

import org.jspecify.annotations.NullMarked;
