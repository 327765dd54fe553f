package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.print.Terminal;
import io.orrery.core.json.Document;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An experiment's configuration, or its search space, as its author wrote it.
 *
 * @param name as it was given, for messages
 * @param folder relative paths inside it start here; absolute
 */
public record ConfigFile(String name, Path folder, String text) {
  private static final Set<String> KNOWN =
      Set.of(
          "experimentname",
          "authorname",
          "trialcommand",
          "trial",
          "trialconcurrency",
          "maxtrialnumber",
          "searchspace",
          "searchspacefile",
          "searchspacepath",
          "trainingservice",
          "trainingserviceplatform",
          "tuner");

  /**
   * Reads it.
   *
   * @throws CommandFailure refused, when it cannot be read
   */
  public static ConfigFile read(String name, Terminal terminal) {
    Path path = terminal.directory().resolve(name).normalize();
    try {
      Path folder = path.toAbsolutePath().getParent();
      return new ConfigFile(
          name, folder == null ? terminal.directory() : folder, Files.readString(path));
    } catch (NoSuchFileException e) {
      throw CommandFailure.refused(name + ": there is no such file");
    } catch (CharacterCodingException e) {
      throw CommandFailure.refused(name + ": this is not a text in UTF-8");
    } catch (IOException e) {
      throw CommandFailure.refused(name + ": cannot be read: " + FileFault.words(e));
    }
  }

  /**
   * Reads the configuration of an experiment.
   *
   * @throws CommandFailure refused, when it cannot be read, or is plainly something else
   */
  public static ConfigFile experiment(String name, Terminal terminal) {
    ConfigFile file = read(name, terminal);
    boolean named = name.toLowerCase(Locale.ROOT).matches(".*\\.(ya?ml|json)");
    try {
      JsonNode root = Document.read(file.text).root();
      if (!root.isObject() || (!named && !ConfigFile.hasKnownKey(root))) {
        throw CommandFailure.refused(noConfiguration(name));
      }
    } catch (ProblemException notYaml) {
      if (!named) {
        throw CommandFailure.refused(noConfiguration(name));
      }
      // The server says what is wrong with it, and where.
    }
    return file;
  }

  private static String noConfiguration(String name) {
    return name.endsWith(".py")
        ? name
            + " is a program, not an experiment's configuration: write one in YAML with"
            + " `trialCommand: python3 "
            + name
            + "` in it, and run that"
        : name
            + " is not an experiment's configuration: that is YAML or JSON with keys such as"
            + " trialCommand, searchSpace and trainingService";
  }

  /** Of NNI's v1 or v3; case and underscores do not count. */
  private static boolean hasKnownKey(JsonNode root) {
    return root.properties().stream()
        .map(entry -> entry.getKey().replace("_", "").toLowerCase(Locale.ROOT))
        .anyMatch(KNOWN::contains);
  }

  /**
   * The same with the secrets that it leaves to the user who submits it, {@code prompt:NAME}.
   *
   * @throws CommandFailure refused, when there is no answer
   */
  public ConfigFile answered(Terminal terminal) {
    try {
      return new ConfigFile(name, folder, new AskedSecrets(name, text).filled(terminal.prompt()));
    } catch (ProblemException notYaml) {
      // The server says what is wrong with it.
      return this;
    }
  }

  /**
   * What it says.
   *
   * @throws CommandFailure refused, when that is neither YAML nor JSON
   */
  public JsonNode root() {
    try {
      return Document.read(text).root();
    } catch (ProblemException e) {
      throw CommandFailure.refused(name + ": " + e.problem().detail());
    }
  }

  /**
   * Creates an experiment of it and says the server's notices.
   *
   * @param dryRun only checks it
   * @param port one of its own for NNI's clients; null for none
   * @param urlPrefix a step of the path that NNI's clients put before their own; null for none
   * @param project the project that it is created in; null for {@code public}
   * @throws CommandFailure refused, with every finding placed in the file
   */
  public JsonNode submit(
      Api api,
      boolean dryRun,
      @Nullable Integer port,
      @Nullable String urlPrefix,
      @Nullable String project,
      Terminal terminal) {
    Resource experiments =
        Resource.of("experiments")
            .with("base", folder)
            .with("dryRun", dryRun ? Boolean.TRUE : null)
            .with("port", port)
            .with("urlPrefix", urlPrefix)
            .with("project", project);
    return post(api, experiments, terminal);
  }

  /**
   * Sends it somewhere and says the server's notices.
   *
   * @throws CommandFailure refused, with every finding placed in the file
   */
  public JsonNode post(Api api, Resource to, Terminal terminal) {
    JsonNode answer;
    try {
      answer = api.post(to, text, contentType());
    } catch (ProblemResponse e) {
      boolean ofOptions = e.findings().stream().anyMatch(f -> f.message().startsWith("--"));
      throw e.exitCode() == CommandFailure.REFUSED && !ofOptions ? refused(e) : e;
    }
    answer.path("notices").forEach(notice -> terminal.say(notice.asText()));
    return answer;
  }

  private String contentType() {
    return name.toLowerCase(Locale.ROOT).endsWith(".json")
        ? "application/json"
        : "application/yaml";
  }

  /** {@code FILE:LINE: pointer: message}, a line for each finding, as compilers write it. */
  private CommandFailure refused(ProblemResponse problem) {
    List<Finding> findings = problem.findings();
    if (findings.isEmpty()) {
      return CommandFailure.refused(name + ": " + problem.text(), problem);
    }
    Document document = document();
    return CommandFailure.refused(
        document.placed(findings).stream().map(this::placed).collect(Collectors.joining("\n")),
        problem);
  }

  private String placed(Finding finding) {
    String pointer = finding.pointer().isEmpty() ? "" : finding.pointer() + ": ";
    Integer line = finding.line();
    return name + ":" + (line == null ? 1 : line) + ": " + pointer + finding.message();
  }

  /** Where everything stands; nothing is known of a text that does not parse. */
  private Document document() {
    try {
      return Document.read(text);
    } catch (ProblemException e) {
      return new Document(MissingNode.getInstance(), Map.of());
    }
  }
}
