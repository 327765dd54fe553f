package io.orrery.core.code;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.problem.Finding;
import io.orrery.core.project.SecretReference;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A directory of a Git repository at some state.
 *
 * @param ref a branch, a tag or a commit
 * @param directory below the root; empty for the root
 * @param secret the name of a secret of the project, {@code USER:PASSWORD} or a token; null for
 *     none
 */
public record CodeRepository(URI url, String ref, String directory, @Nullable String secret) {
  /** The key that makes an object the description of a repository. */
  public static final String KEY = "git";

  private static final Set<String> KEYS = Set.of(KEY, "ref", "directory", "secret");
  private static final Pattern REF = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_./+@-]{0,199}");
  private static final Pattern PATH = Pattern.compile("[A-Za-z0-9_. +@/-]{1,400}");
  private static final Pattern URL_PATH = Pattern.compile("/[A-Za-z0-9_.~%+@/-]{1,400}");
  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]{2,45}]");
  private static final int MOST_PORT = 65_535;

  /**
   * A description as it was read.
   *
   * @param source null when there are findings
   */
  public record Reading(@Nullable CodeRepository source, List<Finding> findings) {
    public Reading {
      findings = List.copyOf(findings);
    }
  }

  /** Reads {@code {git: URL, ref: main, directory: sub, secret: "secret:token"}}. */
  public static Reading read(JsonNode object, String pointer) {
    List<Finding> findings = new ArrayList<>();
    object
        .fieldNames()
        .forEachRemaining(name -> {
          if (!KEYS.contains(name)) {
            findings.add(
                new Finding(
                    pointer,
                    "'%s' is no key of code from Git: there are git, ref, directory and secret"
                        .formatted(name)));
          }
        });
    URI url = url(text(object, KEY));
    if (url == null) {
      findings.add(
          new Finding(
              pointer + "/" + KEY,
              "git must be a URL such as https://example.com/team/code.git, without a user or a"
                  + " password: these go into a secret of the project"));
    }
    String ref = text(object, "ref");
    if (ref == null || !isRef(ref)) {
      findings.add(
          new Finding(pointer + "/ref", "ref must be the name of a branch or a tag, or a commit"));
    }
    String directory = object.has("directory") ? text(object, "directory") : "";
    if (directory == null || !isDirectory(directory)) {
      findings.add(
          new Finding(
              pointer + "/directory", "directory must be a path below the root of the repository"));
    }
    String secret = secret(object, pointer, findings);
    return findings.isEmpty() && url != null && ref != null && directory != null
        ? new Reading(new CodeRepository(url, ref, directory, secret), findings)
        : new Reading(null, findings);
  }

  private static @Nullable String secret(JsonNode object, String pointer, List<Finding> findings) {
    if (!object.has("secret")) {
      return null;
    }
    String text = text(object, "secret");
    String name = text == null ? null : SecretReference.name(text).orElse(null);
    if (name == null) {
      findings.add(
          new Finding(
              pointer + "/secret",
              "secret must name a secret of the project, such as secret:git-token"));
    }
    return name;
  }

  private static @Nullable String text(JsonNode object, String key) {
    JsonNode value = object.get(key);
    return value == null || !value.isTextual() ? null : value.textValue().strip();
  }

  private static @Nullable URI url(@Nullable String text) {
    if (text == null) {
      return null;
    }
    URI url;
    try {
      url = URI.create(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
    boolean right =
        ("https".equals(url.getScheme()) || "http".equals(url.getScheme()))
            && url.getHost() != null
            && HOST.matcher(url.getHost()).matches()
            && url.getRawUserInfo() == null
            && url.getRawQuery() == null
            && url.getRawFragment() == null
            && url.getPort() != 0
            && url.getPort() <= MOST_PORT
            && URL_PATH.matcher(url.getRawPath()).matches();
    return right ? url : null;
  }

  private static boolean isRef(String ref) {
    return REF.matcher(ref).matches() && !ref.contains("..") && !ref.contains("@{");
  }

  private static boolean isDirectory(String directory) {
    if (directory.isEmpty()) {
      return true;
    }
    return PATH.matcher(directory).matches()
        && List.of(directory.split("/", -1)).stream()
            .noneMatch(part -> part.isBlank() || part.equals(".") || part.equals(".."));
  }

  /** The same state of the whole repository. */
  public CodeRepository whole() {
    return new CodeRepository(url, ref, "", secret);
  }

  /**
   * The repository to connect to.
   *
   * @param login what the secret holds, {@code USER:PASSWORD} or a token alone; null for no secret
   */
  public GitRemote remote(@Nullable String login) {
    return new GitRemote(
        url, ref, login == null ? null : login(login.strip()), "secret: secret:NAME");
  }

  private static GitRemote.Login login(String secret) {
    int colon = secret.indexOf(':');
    return colon < 0
        ? GitRemote.Login.of(GitSource.ANY_USER, secret)
        : GitRemote.Login.of(secret.substring(0, colon), secret.substring(colon + 1));
  }

  /** The last part of the path, without {@code .git}; for a name of a directory. */
  public String name() {
    String path = url.getPath().replaceAll("/+$", "");
    String last = path.substring(path.lastIndexOf('/') + 1).replaceAll("\\.git$", "");
    String plain = last.replaceAll("[^A-Za-z0-9_-]", "-");
    return plain.isEmpty() ? "code" : plain.substring(0, Math.min(plain.length(), 60));
  }
}
