package io.orrery.core.code;

/** A failure to fetch from a Git repository, with a sentence for users, without any password. */
public final class GitException extends Exception {
  private static final long serialVersionUID = 1L;

  GitException(String reason) {
    super(reason, null, false, false);
  }
}
