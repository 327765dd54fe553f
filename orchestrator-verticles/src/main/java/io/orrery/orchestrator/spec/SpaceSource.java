package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.json.Document;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.schema.Walk;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.space.SpaceReader;
import io.orrery.core.trial.Parameters;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the search space, written into the experiment file or into one of its own. */
final class SpaceSource {
  /** The largest space file, and the largest experiment file as well. */
  static final int MOST_BYTES = 16 * 1024 * 1024;

  private static final String INLINE = "/searchSpace";
  private static final String FILE = "/searchSpaceFile";

  /** The argument of NNI's BOHB that names a file with the search space. */
  private static final String CONFIG_SPACE = "config_space";

  private final Walk walk;

  SpaceSource(Walk walk) {
    this.walk = walk;
  }

  /**
   * Reads the space and leaves it inline in the canonical form.
   *
   * @return what could be read of it; whole only when nothing was found wrong there
   */
  SearchSpace read(ObjectNode root) {
    configSpace(root);
    JsonNode file = root.remove("searchSpaceFile");
    JsonNode inline = root.get("searchSpace");
    boolean annotated = root.path("useAnnotation").booleanValue();
    if (annotated) {
      walk.refuse(
          "/useAnnotation",
          "is not supported: `nnictl ss_gen -t COMMAND -d DIR -p NEW` writes the search space"
              + " that the annotations in DIR describe, and NEW with the same code without them");
    }
    if (file != null && inline != null) {
      compare(file.textValue(), inline);
    } else if (file != null) {
      inline = load(file.textValue());
      if (inline != null) {
        root.set("searchSpace", inline);
      }
    } else if (inline == null && !annotated && !walk.excused(INLINE) && !walk.excused(FILE)) {
      walk.refuse(
          INLINE, "is missing: the parameters to vary; the empty search space is written {}");
    }
    return inline == null ? SearchSpace.EMPTY : space(inline, isForeign(root));
  }

  /**
   * Compares both, as NNI's own clients send them: the space and the file that it was read from.
   * Those of a file that is not on this machine, or that the author may not name, are taken at
   * their word; what is wrong with one that is here is found.
   */
  private void compare(String file, JsonNode inline) {
    Walk apart = walk.within(FILE, FILE);
    Path path = walk.paths().resolve(file, FILE, apart);
    if (path == null || !Files.exists(path)) {
      walk.notice("searchSpaceFile cannot be read here: searchSpace counts.");
      return;
    }
    JsonNode loaded = new SpaceSource(apart).load(path);
    if (loaded == null) {
      walk.absorb(apart, FILE, FILE);
    } else if (!loaded.equals(SpaceSource::compareValues, inline)) {
      walk.refuse(FILE, "and searchSpace differ: leave one of them out");
    }
  }

  /** Numbers are the same however they are written: 0 and 0.0, 1e-3 and 0.001. */
  private static int compareValues(JsonNode one, JsonNode other) {
    if (one.equals(other)) {
      return 0;
    }
    return isFinite(one)
            && isFinite(other)
            && one.decimalValue().compareTo(other.decimalValue()) == 0
        ? 0
        : 1;
  }

  private static boolean isFinite(JsonNode value) {
    return value.isNumber() && Double.isFinite(value.doubleValue());
  }

  /** Whether an algorithm searches that is not ours: it alone knows the form of its space. */
  static boolean isForeign(JsonNode root) {
    return Stream.of(root.path("tuner"), root.path("advisor"))
        .map(section ->
            new AlgorithmSpec(
                section.path("name").textValue(),
                section.path("className").textValue(),
                null,
                Parameters.EMPTY))
        .anyMatch(AlgorithmSpec::isForeign);
  }

  private SearchSpace space(JsonNode json, boolean foreign) {
    if (foreign) {
      SearchSpace space = SearchSpace.asGiven(json);
      if (space.isOpaque() && !json.isEmpty()) {
        walk.notice(
            "The search space is not in NNI's form: the tuner gets it as it is, and parameters are"
                + " not checked against it.");
      }
      return space;
    }
    SpaceReader.Reading reading = SpaceReader.read(json, INLINE);
    reading.findings().forEach(walk::add);
    return reading.space();
  }

  /** The space of BOHB's own file takes the place of any other, as with NNI. */
  private void configSpace(ObjectNode root) {
    for (String section : List.of("tuner", "advisor")) {
      if (!root.path(section).path("name").asText().equalsIgnoreCase("BOHB")
          || !(root.path(section).path("classArgs") instanceof ObjectNode arguments)
          || !arguments.path(CONFIG_SPACE).isTextual()) {
        continue;
      }
      String at = "/" + section + "/classArgs/" + CONFIG_SPACE;
      Path path = walk.paths().resolve(arguments.remove(CONFIG_SPACE).textValue(), at, walk);
      String text = path == null ? null : text(path, at);
      root.remove("searchSpaceFile");
      root.remove("searchSpace");
      if (path == null || text == null) {
        walk.excuse(INLINE);
        continue;
      }
      PcsFile.Reading reading = PcsFile.read(text);
      reading
          .faults()
          .forEach(fault -> walk.refuse(at, "names " + path.getFileName() + ", " + fault));
      walk.places().put(INLINE, walk.places().written(at));
      root.set("searchSpace", reading.space());
      walk.notice("The search space is that of " + path + ", the config_space of BOHB.");
    }
  }

  private @Nullable JsonNode load(String name) {
    Path path = walk.paths().resolve(name, FILE, walk);
    return path == null ? null : load(path);
  }

  private @Nullable JsonNode load(Path path) {
    String text = text(path, FILE);
    if (text == null) {
      return null;
    }
    String file = String.valueOf(path.getFileName());
    try {
      Document document = Document.read(text);
      walk.places().cameFrom(INLINE, FILE, file, document);
      return document.root();
    } catch (ProblemException e) {
      walk.places().cameFrom(INLINE, FILE, file, new Document(NullNode.instance, Map.of()));
      report(e);
      return null;
    }
  }

  private @Nullable String text(Path path, String at) {
    try {
      if (!Files.isRegularFile(path)) {
        String wrong = Files.exists(path) ? " is not a file" : " does not exist";
        walk.refuse(at, "must name a file: " + path + wrong);
        return null;
      }
      if (Files.size(path) > MOST_BYTES) {
        walk.refuse(at, "must be at most 16 MB, " + path + " is larger");
        return null;
      }
      return Files.readString(path);
    } catch (CharacterCodingException e) {
      walk.refuse(at, "must be text in UTF-8, " + path + " is not");
    } catch (IOException e) {
      walk.refuse(at, "cannot be read: " + e);
    }
    return null;
  }

  private void report(ProblemException failure) {
    List<Finding> findings =
        failure.problem() instanceof Problem.Refused refused
            ? refused.findings()
            : List.of(new Finding("", failure.problem().detail()));
    findings.forEach(f -> walk.add(new Finding(INLINE + f.pointer(), f.message(), f.line())));
  }
}
