package io.orrery.core.code;

import io.orrery.core.http.HostName;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A state of a Git repository.
 *
 * @param url that {@link #findUrlFault} has nothing against
 * @param ref a branch, a tag or a whole commit
 * @param user the name that is sent with the password; null for {@link #ANY_USER}
 * @param password a reference {@code secret:NAME}; null for a repository that asks for no login
 */
public record GitSource(String url, String ref, @Nullable String user, @Nullable String password) {
  /** A name that servers take with a token. */
  public static final String ANY_USER = "git";

  /** The rule of refs in words. */
  public static final String REF_RULE =
      "a ref is a branch, a tag, or the 40 digits of a commit, such as main";

  private static final int MOST_URL = 1_000;
  private static final Pattern REF = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._/+-]{0,199}");

  /** A sentence about what is wrong with the address of a repository; empty when nothing is. */
  public static Optional<String> findUrlFault(String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      return Optional.of("'%s' is no address".formatted(text));
    }
    String host = uri.getHost();
    boolean plain = host != null && HostName.isLoopback(host);
    if (text.length() > MOST_URL
        || host == null
        || !("https".equals(uri.getScheme()) || (plain && "http".equals(uri.getScheme())))) {
      return Optional.of(
          "a repository is named by an address such as https://git.example.com/vision/tool.git");
    }
    return uri.getRawUserInfo() != null || uri.getRawQuery() != null || uri.getRawFragment() != null
        ? Optional.of(
            "an address has no user, '?' or '#': give user and password: secret:NAME beside it")
        : Optional.empty();
  }

  /** The repository to connect to; {@code secret} is what the secret of {@link #password} holds. */
  public GitRemote remote(@Nullable String secret) {
    GitRemote.Login login =
        secret == null ? null : GitRemote.Login.of(user == null ? ANY_USER : user, secret);
    return new GitRemote(URI.create(url), ref, login, "user and password: secret:NAME");
  }

  /** Whether a text can be a ref. */
  public static boolean isRef(String text) {
    return REF.matcher(text).matches() && !text.contains("..") && !text.endsWith(".lock");
  }
}
