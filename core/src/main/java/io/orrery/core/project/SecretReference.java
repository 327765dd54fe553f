package io.orrery.core.project;

import java.util.Optional;
import java.util.regex.Pattern;

/** Reads {@code secret:hook}, the reference to a secret of a project in the place of a value. */
public final class SecretReference {
  /** How a reference begins. */
  public static final String PREFIX = "secret:";

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9_.-]{0,61}[a-z0-9])?");

  private SecretReference() {}

  /** Whether a text may be the name of a secret. */
  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /** The name of the secret that a value refers to; empty when it is a value itself. */
  public static Optional<String> name(String value) {
    return value.startsWith(PREFIX) && isName(value.substring(PREFIX.length()))
        ? Optional.of(value.substring(PREFIX.length()))
        : Optional.empty();
  }
}
