package io.orrery.gateway.auth.openid;

import io.orrery.core.access.UserName;
import org.jspecify.annotations.Nullable;

/**
 * A user as the provider describes her.
 *
 * @param subject her lasting id there
 * @param admin whether she is in a group of administrators; null when no such groups are configured
 */
public record OpenIdProfile(
    String subject, UserName name, String displayName, String mail, @Nullable Boolean admin) {}
