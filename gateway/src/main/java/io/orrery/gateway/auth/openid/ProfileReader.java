package io.orrery.gateway.auth.openid;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.UserName;
import io.orrery.core.bus.contract.People;
import io.orrery.core.problem.Problem;
import java.util.Locale;

/** Reads the claims about a user, which have been checked. */
final class ProfileReader {
  private final OpenIdConfig config;

  ProfileReader(OpenIdConfig config) {
    this.config = config;
  }

  /** Whether claims of an ID token are enough, and no further ones have to be asked for. */
  boolean isEnough(JsonNode claims) {
    return claims.hasNonNull(config.userClaim())
        && (config.admins().isEmpty() || claims.hasNonNull(config.groupsClaim()));
  }

  /**
   * The user that claims describe.
   *
   * @throws io.orrery.core.problem.ProblemException Forbidden when they give no name for an account
   */
  OpenIdProfile read(String subject, JsonNode claims) {
    String said = claims.path(config.userClaim()).asText("");
    String name = name(said);
    if (!UserName.valid(name)) {
      throw new Problem.Forbidden(
              "The claim %s of the OpenID provider is '%s', which gives no user name: 2 to 50 letters,"
                      .formatted(config.userClaim(), cut(said))
                  + " digits and -, a letter first. Name another claim as auth.openId.user.")
          .toException();
    }
    return new OpenIdProfile(
        subject,
        new UserName(name),
        cut(claims.path("name").asText("")),
        cut(claims.path("email").asText("")),
        config.admins().isEmpty() ? null : isAdmin(claims.path(config.groupsClaim())));
  }

  /** Of {@code Ann.Smith@example.com} it is {@code ann-smith}. */
  private static String name(String said) {
    return said.strip().replaceAll("@.*", "").toLowerCase(Locale.ROOT).replaceAll("[._ ]+", "-");
  }

  private boolean isAdmin(JsonNode groups) {
    return groups.isTextual()
        ? config.admins().contains(groups.textValue())
        : groups.valueStream().anyMatch(group -> config.admins().contains(group.asText()));
  }

  private static String cut(String text) {
    String plain = text.replaceAll("\\p{Cntrl}", "").strip();
    return plain.substring(0, Math.min(plain.length(), People.MOST_TEXT));
  }
}
