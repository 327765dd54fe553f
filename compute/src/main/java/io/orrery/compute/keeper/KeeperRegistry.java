package io.orrery.compute.keeper;

import io.orrery.compute.keeper.Allowances.Allowance;
import io.orrery.core.file.DurableFile;
import io.orrery.core.file.JsonFile;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A record on the disk, for all servers, of which keepers have come to an attempt, and how they
 * ended:
 *
 * <pre>{@code
 * canceled                                it is to end, or never to start
 * keepers/<keeper>.json                   who has it
 * keepers/<keeper>.end.json               how its command ended
 * }</pre>
 *
 * @param nni the directory {@code .nni} of the attempt
 */
record KeeperRegistry(Path nni) {
  private static final Pattern KEEPER = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
  private static final Pattern CLAIM = Pattern.compile("(" + KEEPER + ")\\.json");

  /** A claim of a keeper to an attempt's place. */
  record Claim(String instance, boolean primary, Instant at) {}

  /** The end of a keeper's command. */
  record End(String instance, int exitCode, @Nullable String reason, Instant at) {}

  /**
   * The name of a keeper.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when it is not one
   */
  static String keeper(String name) {
    if (!KEEPER.matcher(name).matches()) {
      throw new Problem.Refused(
              new Finding(
                  "/keeper",
                  "a keeper's name is 1 to 63 lower-case letters, digits and dashes, not '"
                      + name
                      + "'"))
          .toException();
    }
    return name;
  }

  /**
   * Takes the place of a keeper. First written, then looked whether the attempt is cancelled; who
   * cancels does both the other way round: so one of the two sees the other.
   *
   * @return the claim that stands: an earlier one of the same instance, or this one
   * @throws io.orrery.core.problem.ProblemException Conflict when it cannot be had; TooLarge when
   *     the attempt has too many
   */
  Claim claim(String keeper, Claim claim, Allowance allowance) throws IOException {
    Path file = claimFile(keeper);
    // It may be taken: perhaps by this keeper, whose answer was lost.
    if (!Files.exists(file)) {
      allowance.check(AttemptUsage.KEEPER);
      // Another server may have let it in meanwhile.
      if (JsonFile.create(file, claim)) {
        allowance.add(AttemptUsage.KEEPER);
      }
    }
    Claim held = Objects.requireNonNull(claimOf(keeper));
    if (!held.instance().equals(claim.instance())) {
      throw conflict("another process has started it already");
    }
    if (end(keeper) != null) {
      throw conflict("it is over");
    }
    if (isCanceled()) {
      throw conflict("it was canceled");
    }
    return held;
  }

  private static RuntimeException conflict(String why) {
    return new Problem.Conflict("This attempt must not be started: " + why + ".").toException();
  }

  @Nullable Claim claimOf(String keeper) throws IOException {
    return JsonFile.read(claimFile(keeper), Claim.class);
  }

  /** Returns all keepers that have come, by name. */
  Map<String, Claim> claims() throws IOException {
    Map<String, Claim> claims = new HashMap<>();
    if (!Files.exists(keepers())) {
      return claims;
    }
    List<String> names;
    try (java.util.stream.Stream<Path> files = Files.list(keepers())) {
      names = files.map(file -> String.valueOf(file.getFileName())).toList();
    } catch (NoSuchFileException unclaimed) {
      return claims;
    }
    for (String name : names) {
      Matcher matcher = CLAIM.matcher(name);
      if (matcher.matches()) {
        String keeper = matcher.group(1);
        Claim claim = claimOf(keeper);
        if (claim != null) {
          claims.put(keeper, claim);
        }
      }
    }
    return claims;
  }

  void cancel() throws IOException {
    Files.createDirectories(nni);
    DurableFile.write(nni.resolve("canceled"), new byte[0]);
  }

  boolean isCanceled() {
    return Files.exists(nni.resolve("canceled"));
  }

  /** Records an end; the first one stands. */
  End end(String keeper, End end) throws IOException {
    End before = end(keeper);
    if (before != null) {
      return before;
    }
    JsonFile.write(endFile(keeper), end);
    return end;
  }

  @Nullable End end(String keeper) throws IOException {
    return JsonFile.read(endFile(keeper), End.class);
  }

  /** Where keepers' claims and ends are. */
  Path keepers() {
    return nni.resolve("keepers");
  }

  /** Whether that is the claim of one of them. */
  static boolean isClaim(Path file) {
    return CLAIM.matcher(String.valueOf(file.getFileName())).matches();
  }

  private Path claimFile(String keeper) {
    return keepers().resolve(keeper + ".json");
  }

  private Path endFile(String keeper) {
    return keepers().resolve(keeper + ".end.json");
  }
}
