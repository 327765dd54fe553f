package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.TrainingServices.Option;
import io.orrery.core.constraint.Constraint;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.experiment.ExperimentDescription;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.FailureLimits;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.MetricPolicy;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.experiment.Share;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.process.UserHome;
import io.orrery.core.schema.Keys;
import io.orrery.core.schema.OwnWorkspace;
import io.orrery.core.schema.Paths;
import io.orrery.core.schema.Places;
import io.orrery.core.schema.ServerFiles;
import io.orrery.core.schema.Shown;
import io.orrery.core.schema.Walk;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.ParameterVariable;
import io.orrery.core.workload.Workspaces;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads an experiment file, YAML or JSON, in NNI's v1, v2 or v3 form, and says everything that is
 * wrong with it at once.
 *
 * <p>There is one canonical form, v3 with camelCase keys, and all checks are made on it. A v1 file
 * is translated first ({@link NniV1}); the keys of either are then read after tables ({@link
 * ExperimentSchema}, {@link AlgorithmSchema}, {@code ServiceSection}), which know type, bounds and
 * default of each; what concerns several keys follows. {@link Places} remembers where the author
 * wrote each thing, so that a finding speaks of the author's own keys and lines.
 *
 * <p>Not checked here: whether an algorithm exists and takes its arguments and space (the tuner
 * module knows), and what a platform has against an otherwise sound experiment (its factory knows).
 * {@link SpecReading#places} brings their findings to the author's places.
 */
public final class SpecReader {
  private final List<String> platforms;
  private final Map<String, List<Option>> brought;
  private final LongSupplier seeds;
  private final UnaryOperator<String> seal;
  private final @Nullable Workspaces workspaces;

  /** A reader of files that name no workspace. */
  public SpecReader(
      Collection<String> platforms,
      Map<String, List<Option>> brought,
      LongSupplier seeds,
      UnaryOperator<String> seal) {
    this(platforms, brought, seeds, seal, null);
  }

  /**
   * @param platforms the platforms that this server runs trials on
   * @param brought the keys of those platforms that are not ours, by their names
   * @param seeds gives the seed of an experiment that sets none
   * @param seal makes of a password or token what may be stored and shown, as {@link
   *     io.orrery.compute.secret.SecretBox#seal} does
   * @param workspaces in which authors have code; null where there are none
   */
  public SpecReader(
      Collection<String> platforms,
      Map<String, List<Option>> brought,
      LongSupplier seeds,
      UnaryOperator<String> seal,
      @Nullable Workspaces workspaces) {
    this.workspaces = workspaces;
    this.platforms = platforms.stream().sorted().toList();
    this.brought = Map.copyOf(brought);
    this.seeds = seeds;
    this.seal = seal;
  }

  /**
   * Reads a file. Never throws for anything that stands in it. Blocks: it looks at the directories
   * and reads the search space file that the text names, so it is called on a worker.
   *
   * @param text at most 16 MB
   * @param base absolute directory that relative paths start from; null allows absolute ones only
   */
  public SpecReading read(String text, @Nullable String base) {
    return read(text, base, "", null);
  }

  /**
   * The same for an author who may not name each file, variable and cluster of the server.
   *
   * @param user the author, whose workspace may be named; empty for none
   * @param shown whether a path may be named; null when the author may name everything
   */
  public SpecReading read(
      String text, @Nullable String base, String user, @Nullable Predicate<Path> shown) {
    return read(text, base, user, shown, null);
  }

  /**
   * The same with a directory of code.
   *
   * @param code in the place of what the text says; null for that
   */
  public SpecReading read(
      String text,
      @Nullable String base,
      String user,
      @Nullable Predicate<Path> shown,
      @Nullable Path code) {
    if (text.length() > SpaceSource.MOST_BYTES) {
      return refused(List.of(new Finding("", "an experiment file has at most 16 MB")));
    }
    Document document;
    try {
      document = Document.read(text);
    } catch (ProblemException e) {
      return refused(
          e.problem() instanceof Problem.Refused refused
              ? refused.findings()
              : List.of(new Finding("", e.problem().detail())));
    }
    if (!document.root().isObject()) {
      return refused(
          List.of(
              new Finding(
                  "",
                  "an experiment file is an object of keys such as trialCommand, this is "
                      + Shown.of(document.root()),
                  1)));
    }
    if (code != null) {
      ((ObjectNode) document.root()).put("trialCodeDirectory", code.toString());
    }
    Path start;
    try {
      start = base == null ? null : Path.of(base);
    } catch (InvalidPathException e) {
      return refused(
          List.of(new Finding("", "the base directory is not a path: " + e.getReason())));
    }
    if (start != null && !start.isAbsolute()) {
      return refused(List.of(new Finding("", "the base directory must be absolute: " + start)));
    }
    OwnWorkspace own = workspaces == null ? null : new OwnWorkspace(workspaces, user);
    Paths paths = new Paths(start, UserHome.of(System.getenv()), shown, own);
    return read(document.root(), new Walk(new Places(document), paths, seal, UnknownKey::advice));
  }

  private static SpecReading refused(List<Finding> findings) {
    Document nothing = new Document(Json.MAPPER.nullNode(), Map.of());
    return new SpecReading(null, findings, List.of(), List.of(), new Places(nothing), null);
  }

  private SpecReading read(JsonNode given, Walk walk) {
    TrainingServiceReader services = new TrainingServiceReader(platforms, brought, walk);
    ObjectNode root =
        switch (Dialect.of(given)) {
          case V1 -> {
            JsonNode service = NniV1.service(given);
            boolean foreign = services.foreign(service);
            excuseTrial(foreign, walk);
            boolean several = services.isHybrid(service);
            ObjectNode v3 =
                ExperimentSchema.ROOT.read(
                    NniV1.translate(given, foreign || several, walk), "", walk);
            ClassFileCheck.check(given, v3, walk);
            yield v3;
          }
          case V3 -> ExperimentSchema.ROOT.read(given, "", walk);
        };
    excuseTrial(services.foreign(root.get("trainingService")), walk);
    String commandAt =
        Keys.present(root.path("trainingService"), "trialCommand")
            ? "/trainingService/trialCommand"
            : "/trialCommand";
    services.read(root);
    if (walk.paths().own() != null) {
      WorkspaceCheck.check(root, walk);
    }
    ServerFiles.check(root, walk);
    SearchSpace plain = new SpaceSource(walk).read(root);
    AlgorithmReader.Search search = new AlgorithmReader(walk).read(root);
    SearchSpace space = plain.under(constraints(root, plain, search.tuner(), walk));
    TransferChoice.check(root, search, walk);
    CostChoice.check(root, search, walk);
    RepeatsCheck.check(root, search, walk);
    unavailable(root, walk);
    SharedStorageReader.read(root, walk);
    ambiguous(space, walk);
    if (!root.has("logLevel")) {
      root.put("logLevel", root.path("debug").booleanValue() ? "debug" : "info");
    }
    command(root, commandAt, search.tuner(), space, walk);
    ExperimentSpec spec = walk.clean() ? spec(root, space, search) : null;
    SpecReading.Search readable =
        new SpecReading.Search(
            named(search.tuner()),
            search.judgesItself() ? null : named(search.assessor()),
            space,
            search.objectives().all().size());
    return new SpecReading(
        spec, walk.findings(), walk.notices(), walk.faulty(), walk.places(), readable);
  }

  /** What a trial needs depends on the platform: of one that is not here nothing is asked for. */
  private static void excuseTrial(boolean foreign, Walk walk) {
    if (foreign) {
      walk.excuse("/trialCommand");
      walk.excuse("/trialCodeDirectory");
    }
  }

  private static @Nullable AlgorithmSpec named(@Nullable AlgorithmSpec algorithm) {
    boolean unclear =
        algorithm == null || (algorithm.name() == null && algorithm.className() == null);
    return unclear ? null : algorithm;
  }

  /** Read only over a sound space: each fault of that would be told again for every name. */
  private static List<Constraint> constraints(
      ObjectNode root, SearchSpace space, AlgorithmSpec tuner, Walk walk) {
    return walk.faultyWithin("/searchSpace")
        ? List.of()
        : ConstraintReader.read(root, tuner.parameterShape(space), walk);
  }

  private static void command(
      ObjectNode root, String at, AlgorithmSpec tuner, SearchSpace space, Walk walk) {
    JsonNode command = root.path("trainingService").path("trialCommand");
    boolean readable = root.has("searchSpace") && !walk.faultyAt("/searchSpace");
    // A class of the user's own may give any parameters, and half a list has not all names.
    boolean list = tuner.name() == null ? space.mayBeList() : tuner.takesList();
    boolean whole = tuner.name() != null && !walk.faultyWithin("/searchSpace");
    if (readable && !space.isOpaque() && tuner.className() == null && (whole || !list)) {
      CommandNames.check(
          command.isTextual() ? command.textValue() : root.path("trialCommand").asText(),
          at,
          root.path("searchSpace"),
          tuner.parameterShape(space),
          walk);
    }
  }

  /** Two parameters that a trial without an SDK would find under one name. */
  private static void ambiguous(SearchSpace space, Walk walk) {
    Map<String, List<String>> names = new LinkedHashMap<>();
    for (String parameter : space.dimensions().keySet()) {
      names.computeIfAbsent(ParameterVariable.of(parameter), v -> new ArrayList<>()).add(parameter);
    }
    names.forEach((variable, parameters) -> {
      if (parameters.size() > 1) {
        walk.notice(
            "The parameters %s share the environment variable %s, which holds one of them: a trial that reads its environment should have them renamed; parameter.cfg and the SDK have them all."
                .formatted(String.join(", ", parameters), variable));
      }
    });
  }

  private static void unavailable(ObjectNode root, Walk walk) {
    String platform = root.path("trainingService").path("platform").asText();
    if (root.path("readEventFiles").booleanValue() && platform.equals("simulated")) {
      walk.notice("readEventFiles does nothing here: simulated trials write no files.");
    }
    if (root.path("experimentType").asText().equals("nas")) {
      walk.refuse("/experimentType", "must be hpo: architecture search is not supported");
    }
  }

  private ExperimentSpec spec(ObjectNode root, SearchSpace space, AlgorithmReader.Search search) {
    return new ExperimentSpec(
        new ExperimentDescription(root.path("experimentName").textValue(), Json.write(kept(root))),
        new SearchSpec(
            space,
            search.tuner(),
            search.assessor(),
            search.objectives(),
            root.has("seed") ? root.path("seed").longValue() : seeds.getAsLong()),
        job(root),
        limits(root));
  }

  /** The job of a canonical form that has no fault. */
  static JobSpec job(ObjectNode root) {
    JsonNode service = root.path("trainingService");
    ObjectNode settings = service.deepCopy();
    settings.remove("platform");
    return new JobSpec(
        service.path("trialCommand").textValue(),
        service.path("trialCodeDirectory").textValue(),
        intOrNull(service, "trialGpuNumber"),
        root.path("parametersAsArguments").booleanValue(),
        root.path("multiPhase").booleanValue(),
        new TrainingServiceSpec(
            service.path("platform").textValue(), JsonValues.parameters(settings)),
        SharedStorageReader.spec(root),
        metrics(root));
  }

  private static ExperimentLimits limits(ObjectNode root) {
    return new ExperimentLimits(
        root.path("trialConcurrency").intValue(),
        intOrNull(root, "quota"),
        share(root),
        spanOrNull(root, "maxExperimentDuration"),
        wholeOrNull(root, "maxTrialNumber"),
        spanOrNull(root, "maxTrialDuration"),
        retry(root.path("retry")),
        new FailureLimits(
            wholeOrNull(root, "maxFailedTrials"), wholeOrNull(root, "maxFailuresInRow")));
  }

  /** The configuration that is kept; the project is the experiment's, which may be another. */
  private static ObjectNode kept(ObjectNode root) {
    ObjectNode kept = ExperimentSchema.ROOT.ordered(root);
    kept.remove("project");
    return kept;
  }

  private static Share share(JsonNode given) {
    return new Share(
        given.path("priority").asInt(Share.EQUAL.priority()),
        given.path("weight").asDouble(Share.EQUAL.weight()));
  }

  private static MetricPolicy metrics(ObjectNode root) {
    JsonNode retention = root.path("metricRetention");
    return new MetricPolicy(
        spanOrNull(retention, "intermediate"),
        retention.path("rollup").asInt(MetricPolicy.STANDARD_ROLLUP),
        root.path("readEventFiles").booleanValue());
  }

  private static RetryPolicy retry(JsonNode given) {
    RetryPolicy standard = RetryPolicy.NONE;
    Duration backoff = spanOrNull(given, "backoff");
    Set<RetryPolicy.Cause> on = EnumSet.noneOf(RetryPolicy.Cause.class);
    given
        .path("on")
        .forEach(word -> on.add(RetryPolicy.Cause.valueOf(word.asText().toUpperCase(Locale.ROOT))));
    return new RetryPolicy(
        given.path("attempts").asInt(standard.attempts()),
        backoff == null ? standard.backoff() : backoff,
        given.has("on") ? on : standard.on());
  }

  private static @Nullable Long wholeOrNull(JsonNode json, String key) {
    return json.has(key) ? json.path(key).longValue() : null;
  }

  private static @Nullable Integer intOrNull(JsonNode json, String key) {
    return json.has(key) ? json.path(key).intValue() : null;
  }

  private static @Nullable Duration spanOrNull(JsonNode json, String key) {
    return json.has(key) ? Duration.ofSeconds(json.path(key).longValue()) : null;
  }
}
