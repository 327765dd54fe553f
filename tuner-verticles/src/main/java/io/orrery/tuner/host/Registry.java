package io.orrery.tuner.host;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.orrery.core.bus.contract.Tuners.Registration;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.file.KeptFile;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.text.Nearest;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.python.UsersClass;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Classes of users' own that may be called by a name, as NNI's {@code nnictl algo register} has
 * them: a file of the home. Blocks where it says so; safe for use by several threads.
 */
final class Registry {
  private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
  private static final int MOST = 1_000;
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}");
  private static final List<String> KINDS = List.of("tuner", "assessor", "advisor");

  private final Path file;
  private final Catalog catalog;

  /** By the name in lower case; replaced whole. */
  private volatile SortedMap<String, Registration> known = new TreeMap<>();

  /**
   * @param file may be missing
   * @param catalog whose names are taken
   */
  Registry(Path file, Catalog catalog) {
    this.file = file;
    this.catalog = catalog;
  }

  /**
   * Reads the file; blocks. One that cannot be understood is left alone, and nothing is known.
   *
   * @throws ProblemException Conflict when it is missing or is not what was written
   */
  void read() {
    SortedMap<String, Registration> read = new TreeMap<>();
    try {
      Optional<byte[]> kept = KeptFile.read(file);
      if (kept.isPresent()) {
        for (Registration one : Json.MAPPER.readValue(kept.get(), Registration[].class)) {
          read.put(key(one.name()), one);
        }
      }
      known = read;
    } catch (IOException e) {
      LOG.warn("could not read the registered algorithms from {}: {}", file, e.getMessage());
    }
  }

  List<Registration> all() {
    return List.copyOf(known.values());
  }

  /** What a name means, case not counting. */
  Optional<Registration> find(@Nullable String name) {
    return name == null ? Optional.empty() : Optional.ofNullable(known.get(key(name)));
  }

  /** The class that a name means; the same when it means none. The user's arguments go first. */
  AlgorithmSpec resolve(AlgorithmSpec spec) {
    return find(spec.name())
        .map(found -> {
          Map<String, @Nullable Object> arguments = new LinkedHashMap<>(found.classArgs().values());
          arguments.putAll(spec.classArgs().values());
          return new AlgorithmSpec(
              null,
              found.className(),
              found.codeDirectory(),
              new Parameters(arguments),
              spec.multiThread());
        })
        .orElse(spec);
  }

  /**
   * Gives a class a name, in place of the one that it may have meant; blocks until that is durable.
   *
   * @throws ProblemException Refused with everything that is wrong with it
   */
  synchronized void register(Registration wanted) {
    check(wanted);
    SortedMap<String, Registration> next = new TreeMap<>(known);
    next.put(key(wanted.name()), wanted);
    write(next);
  }

  /**
   * Refuses a registration as {@link #register} does, and changes nothing.
   *
   * @throws ProblemException Refused with everything that is wrong with it
   */
  void check(Registration wanted) {
    List<Finding> findings = new ArrayList<>();
    if (!NAME.matcher(wanted.name()).matches()) {
      findings.add(
          new Finding(
              "/name",
              "must be 1 to 64 letters, digits, points, dashes or underscores, beginning with a"
                  + " letter"));
    } else if (taken(wanted.name())) {
      findings.add(new Finding("/name", "'" + wanted.name() + "' is built in"));
    }
    if (!KINDS.contains(wanted.kind())) {
      findings.add(new Finding("/kind", "must be tuner, assessor or advisor"));
    }
    findings.addAll(UsersClass.check(wanted.className(), ""));
    String directory = wanted.codeDirectory();
    if (directory != null && !isAbsolute(directory)) {
      findings.add(new Finding("/codeDirectory", "must be an absolute path"));
    }
    if (known.size() >= MOST && find(wanted.name()).isEmpty()) {
      findings.add(new Finding("", MOST + " algorithms are registered: no more are taken"));
    }
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
  }

  /**
   * Takes a name away; blocks until that is durable.
   *
   * @throws ProblemException NotFound when nothing has it
   */
  synchronized void unregister(String name) {
    SortedMap<String, Registration> next = new TreeMap<>(known);
    if (next.remove(key(name)) == null) {
      List<String> names = all().stream().map(Registration::name).toList();
      throw new Problem.NotFound(
              "No algorithm is registered as '" + name + "'" + Nearest.hint(name, names) + ".")
          .toException();
    }
    write(next);
  }

  private static boolean isAbsolute(String directory) {
    try {
      return Path.of(directory).isAbsolute();
    } catch (InvalidPathException noPath) {
      return false;
    }
  }

  private boolean taken(String name) {
    return new AlgorithmSpec(name, null, null, Parameters.EMPTY).isStock()
        || catalog.list().algorithms().stream()
            .anyMatch(built ->
                built.name().equalsIgnoreCase(name)
                    || built.aliases().stream().anyMatch(name::equalsIgnoreCase));
  }

  private void write(SortedMap<String, Registration> next) {
    try {
      KeptFile.write(file, Json.MAPPER.writeValueAsBytes(next.values()));
      known = next;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a registration cannot be written", e);
    } catch (IOException e) {
      throw new Problem.Broken("the registered algorithms cannot be written: " + e.getMessage())
          .toException();
    }
  }

  private static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
