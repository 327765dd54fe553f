package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.TrainingServices.Option;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.process.UserHome;
import io.orrery.core.schema.OwnWorkspace;
import io.orrery.core.schema.Paths;
import io.orrery.core.schema.Places;
import io.orrery.core.schema.ServerFiles;
import io.orrery.core.schema.Walk;
import io.orrery.core.workload.Workspaces;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads the section {@code trainingService} of a job that belongs to no experiment, by the rules
 * for that of an experiment.
 */
public final class JobReader {
  private static final String SECTION = "trainingService";

  /** It stands at the top of an experiment, where sections inherit it. */
  private static final String DEBUG = "debug";

  /** It stands for the program of the job, which is not known here. */
  private static final String COMMAND = "true";

  private final List<String> platforms;
  private final Map<String, List<Option>> brought;
  private final Workspaces workspaces;

  /**
   * @param platforms the platforms that this server runs jobs on
   * @param brought the keys of those platforms that are not ours, by their names
   * @param workspaces in which authors have code
   */
  public JobReader(
      Collection<String> platforms, Map<String, List<Option>> brought, Workspaces workspaces) {
    this.platforms = platforms.stream().sorted().toList();
    this.brought = Map.copyOf(brought);
    this.workspaces = workspaces;
  }

  /**
   * The outcome of reading a section.
   *
   * @param job null when something is wrong with it
   * @param findings everything that is wrong, with pointers that begin at the section's own key
   */
  public record Reading(@Nullable JobSpec job, List<Finding> findings) {
    public Reading {
      findings = List.copyOf(findings);
    }
  }

  /**
   * An author of sections.
   *
   * @param name whose workspace may be named
   * @param shown whether a path of the server may be named; null when all may
   * @param seal makes of a password or token what may be stored and shown
   */
  public record Author(String name, @Nullable Predicate<Path> shown, UnaryOperator<String> seal) {}

  /**
   * Reads a section. Blocks: it looks at files that are named.
   *
   * @param section with its platform
   * @param code absolute; the directory of the code
   * @param gpus null for none of its business
   */
  public Reading read(ObjectNode section, Path code, @Nullable Integer gpus, Author author) {
    Document document =
        Document.read(Json.write(Json.MAPPER.createObjectNode().set(SECTION, section)));
    ObjectNode root = (ObjectNode) document.root();
    root.put("trialCommand", COMMAND).put("trialCodeDirectory", code.toString());
    root.put(DEBUG, false);
    if (gpus != null) {
      root.put("trialGpuNumber", gpus.longValue());
    }
    OwnWorkspace own = new OwnWorkspace(workspaces, author.name());
    Paths paths = new Paths(null, UserHome.of(System.getenv()), author.shown(), own);
    Walk walk = new Walk(new Places(document), paths, author.seal(), UnknownKey::advice);
    new TrainingServiceReader(platforms, brought, walk).read(root);
    WorkspaceCheck.check(root, walk);
    ServerFiles.check(root, walk);
    return new Reading(walk.clean() ? SpecReader.job(root) : null, walk.findings());
  }
}
