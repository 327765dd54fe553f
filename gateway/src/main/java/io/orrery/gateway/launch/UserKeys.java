package io.orrery.gateway.launch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.PersonLimits;
import io.orrery.core.process.ProgramLimits;
import io.orrery.core.quota.QuotaResource;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The keys of the configuration that give people accounts, and keep their programs apart. */
final class UserKeys {
  private static final long LEAST_MEMORY = 1 << 20;

  static final ConfigKey<Boolean> USERS =
      ConfigKey.flag(
          "auth.users",
          "Whether people have accounts: they sign in with name and password, and belong to"
              + " projects.");

  static final ConfigKey<String> SANDBOX =
      ConfigKey.text(
          "auth.sandbox",
          null,
          "bwrap",
          "How programs of people are kept apart from the server: 'bwrap' runs local trials, steps,"
              + " services and Python algorithms in a sandbox made by bubblewrap; 'none' says that"
              + " you trust each user with what the server's user may do. With auth.users one of"
              + " both has to be chosen where bwrap is not installed; bwrap is the default where it"
              + " is.");

  static final ConfigKey<String> SANDBOX_READ =
      ConfigKey.text(
          "auth.sandboxRead",
          null,
          "/home/shared/data",
          "Directories that programs in the sandbox may read although they lie in a home directory,"
              + " /run or /tmp; separated by ':'.");

  static final ConfigKey<String> SANDBOX_WRITE =
      ConfigKey.text(
          "auth.sandboxWrite",
          null,
          "/scratch",
          "Directories that programs in the sandbox may write; separated by ':'.");

  static final ConfigKey<Integer> WORKSPACE_MEGABYTES =
      ConfigKey.integer(
          "workspaces.megabytes",
          100 << 10,
          1,
          100_000_000,
          "Megabytes of the files of one person. Uploads that do not fit are refused. With"
              + " auth.users a program on the server's machine is ended when the directories that it"
              + " may change have more.");

  static final ConfigKey<Integer> PROGRAM_PROCESSES =
      ConfigKey.integer(
          "auth.programProcesses",
          4096,
          16,
          4_000_000,
          "With auth.users: processes and threads that one trial, step, replica or notebook on the"
              + " server's machine may have at once. One that has more is ended.");

  static final ConfigKey<Integer> PROGRAM_FILES =
      ConfigKey.integer(
          "auth.programFiles",
          16_384,
          64,
          1_000_000,
          "With auth.users: files that a process of a person's program on the server's machine may"
              + " have open.");

  static final ConfigKey<Integer> PERSON_PROCESSES =
      ConfigKey.integer(
          "auth.personProcesses",
          16_384,
          16,
          4_000_000,
          "With auth.users: processes and threads that all trials, steps, replicas and notebooks of"
              + " one person on the server's machine may have at once. Above that the program with"
              + " the most of them is ended, and no other starts.");

  static final ConfigKey<Long> PERSON_MEMORY =
      new ConfigKey<>(
          "auth.personMemory",
          null,
          "an amount such as 512M or 64G, from 1M",
          "With auth.users: main memory that the same programs of one person may have at once. Above"
              + " that the program with the most of it is ended, and no other starts.",
          UserKeys::memory);

  static final List<ConfigKey<?>> KEYS =
      List.of(
          USERS,
          SANDBOX,
          SANDBOX_READ,
          SANDBOX_WRITE,
          WORKSPACE_MEGABYTES,
          PROGRAM_PROCESSES,
          PROGRAM_FILES,
          PERSON_PROCESSES,
          PERSON_MEMORY);

  private UserKeys() {}

  /**
   * A choice of how programs of people are kept apart.
   *
   * @param mode null for bwrap where it is installed, when people have accounts
   * @param limits of each program, when people have accounts
   * @param people limits of all programs of a person, when people have accounts
   */
  record SandboxChoice(
      @Nullable Mode mode,
      List<Path> readable,
      List<Path> writable,
      ProgramLimits limits,
      PersonLimits people) {
    SandboxChoice {
      readable = List.copyOf(readable);
      writable = List.copyOf(writable);
    }
  }

  /** A means that keeps programs apart. */
  enum Mode {
    /** Bubblewrap. */
    BWRAP,
    /** Nothing: an operator's decision. */
    NONE
  }

  /** Reads how programs are kept apart. */
  static SandboxChoice sandbox(Config config) {
    return new SandboxChoice(
        mode(config.find(SANDBOX)),
        directories("/auth/sandboxRead", config.find(SANDBOX_READ)),
        directories("/auth/sandboxWrite", config.find(SANDBOX_WRITE)),
        new ProgramLimits(
            config.get(PROGRAM_PROCESSES),
            config.get(PROGRAM_FILES),
            (long) config.get(WORKSPACE_MEGABYTES) << 20),
        new PersonLimits(
            config.get(PERSON_PROCESSES),
            Objects.requireNonNullElse(config.find(PERSON_MEMORY), Long.MAX_VALUE)));
  }

  private static Long memory(JsonNode value) {
    return QuotaResource.MEMORY
        .read(value.asText(""))
        .filter(bytes -> bytes >= LEAST_MEMORY)
        .orElseThrow(IllegalArgumentException::new);
  }

  private static @Nullable Mode mode(@Nullable String word) {
    if (word == null) {
      return null;
    }
    return switch (word) {
      case "bwrap" -> Mode.BWRAP;
      case "none" -> Mode.NONE;
      default ->
          throw refused("/auth/sandbox", "auth.sandbox is '" + word + "': it is bwrap or none");
    };
  }

  private static List<Path> directories(String pointer, @Nullable String text) {
    return text == null
        ? List.of()
        : Stream.of(text.split(":"))
            .filter(path -> !path.isBlank())
            .map(path -> {
              if (!path.startsWith("/")) {
                throw refused(pointer, "'" + path + "' is no absolute path of a directory");
              }
              return Path.of(path);
            })
            .toList();
  }

  private static RuntimeException refused(String pointer, String message) {
    return new Problem.Refused(new Finding(pointer, message)).toException();
  }
}
