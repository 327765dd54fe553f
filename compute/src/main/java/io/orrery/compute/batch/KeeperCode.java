package io.orrery.compute.batch;

import org.jspecify.annotations.Nullable;

/**
 * The meaning of a keeper's own exit codes, for a keeper that could not tell the server why it
 * ended.
 */
final class KeeperCode {
  private KeeperCode() {}

  /** In words; null when it is no code of a keeper. */
  static @Nullable String meaning(int code) {
    return switch (code) {
      case 64 -> "its keeper lacks a variable; its log names it";
      case 69 -> "its keeper never reached this server; is its address one that jobs can reach?";
      case 70 -> "its keeper could not fetch the code";
      case 127 -> "its image has no python3, which the keeper needs";
      default -> null;
    };
  }
}
