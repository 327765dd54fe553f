package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Document;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A test of every experiment file of a checkout of NNI, or of a part of it ({@code
 * -Dorrery.nni=DIR}; files that are named and missing are made in it). NNI takes the files of its
 * own repository, but for those of its tests that are called invalid and for some that it refuses
 * as well: a finding that is not one of {@link #REFUSED} is a difference.
 */
@EnabledIfSystemProperty(named = "orrery.nni", matches = ".+")
class NniRepositoryTest {
  /** A reason for which NNI refuses a file as well, or we do on purpose (move-from-nni.md). */
  private record Reason(String pointer, String words) {
    boolean fits(Finding finding) {
      return Pattern.matches(pointer, finding.pointer())
          && Stream.of(words.split("\\|")).anyMatch(finding.text()::contains);
    }
  }

  private static final List<Reason> REFUSED =
      List.of(
          // Of NNI: a placeholder in braces is an object to YAML, a class of Python is not read.
          new Reason("/.*", "must be text, this is an object"),
          new Reason("", "Global tag is not allowed: tag:yaml.org,2002:python/"),
          // Of NNI: keys of its first releases, slips, and files that its test runner completes.
          new Reason("/(tuner|assessor|advisor)/gpuNum", "is not a known key"),
          new Reason("/kubeflowConfig/kubernetesServer", "is not a known key"),
          new Reason("/(tuner/classDirectory|name|builtinTunerName)", "is not a known key"),
          new Reason("/trial/image", "image is missing"),
          new Reason("/trial/(paiStoragePlugin|base.*|output.*)", "is not a known key"),
          new Reason("/sharedStorage/hasLocalMounted", "is not a known key"),
          new Reason("/(trainingServicePlatform|trial/command)", "is no platform|is missing"),
          new Reason("/.*/password", "must be text: put it in quotes"),
          new Reason("/searchSpace", "searchSpace is missing"),
          // Of NNI: what is not on this machine.
          new Reason("/.*", "must be a directory"),
          new Reason("/.*[kK]ey.*", "there is none at"),
          // Ours: placeholders, which NNI takes and fails with later.
          new Reason("/.*/(host|ip|nfsServer)", "host|a name or an address"),
          new Reason("/.*/user", "must be a user's name"),
          new Reason("/sharedStorage/.*", "must be|absolute"),
          // Found by us: NNI accepts it silently, or finds it when the tuner starts.
          new Reason("/.*", "this key is here twice"),
          new Reason("/searchSpacePath", "needs [low, high], this has 4 elements"),
          // Ours, and NNI 3's.
          new Reason("/useAnnotation", "is not supported"));

  /** Called invalid and taken: {@code tuner} may be left out. */
  private static final String NO_TUNER = "no-tuner.yml";

  /** Keys whose values are paths, by what lies there. */
  private static final List<String> FOLDERS =
      List.of("codeDir", "trialCodeDirectory", "codeDirectory", "nniManagerNFSMountPath", "logDir");

  private static final List<String> SPACES = List.of("searchSpacePath", "searchSpaceFile");
  private static final List<String> FILES =
      List.of("sshKeyPath", "sshKeyFile", "ssh_key_file", "authFile", "privateRegistryAuthPath");

  @Test
  void everyExperimentFileIsJudgedAsNniJudgesIt() throws IOException {
    Path root = Path.of(System.getProperty("orrery.nni")).toRealPath();
    Map<String, String> differences = new TreeMap<>();
    int experiments = 0;
    for (Path file : configurations(root)) {
      List<Finding> findings = findings(file);
      if (findings == null) {
        continue;
      }
      experiments++;
      boolean invalid = file.toString().contains("/invalid/");
      List<Finding> others =
          findings.stream()
              .filter(finding -> REFUSED.stream().noneMatch(reason -> reason.fits(finding)))
              .toList();
      if (invalid ? findings.isEmpty() : !others.isEmpty()) {
        differences.put(root.relativize(file).toString(), invalid ? "taken" : others.toString());
      }
    }
    System.out.println(experiments + " experiment files");
    assertThat(experiments).isPositive();
    assertThat(differences).isEmpty();
  }

  private static List<Path> configurations(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(file -> file.toString().matches(".*\\.ya?ml")).sorted().toList();
    }
  }

  /** Null of a file that is no experiment: of a pipeline, a platform, a test runner. */
  private static List<Finding> findings(Path file) throws IOException {
    String text = Files.readString(file);
    boolean isExperiment = text.lines().anyMatch(line -> line.matches("trialConcurrency: *\\d.*"));
    if (!isExperiment || file.endsWith(NO_TUNER)) {
      return null;
    }
    try {
      complete(Document.read(text).root(), file.getParent());
    } catch (ProblemException unreadable) {
      // Judged below.
    }
    return new SpecReader(
            List.of(
                "local",
                "remote",
                "openpai",
                "kubeflow",
                "frameworkcontroller",
                "aml",
                "dlc",
                "dlts",
                "adl",
                "hybrid"),
            Map.of(),
            () -> 1L,
            secret -> "sealed")
        .read(text, file.getParent().toString())
        .findings();
  }

  private static void complete(JsonNode node, Path directory) throws IOException {
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      String key = entry.getKey();
      String value = entry.getValue().asText();
      if (entry.getValue().isTextual() && !value.startsWith("/") && !value.startsWith("~")) {
        Path path = directory.resolve(value);
        if (FOLDERS.contains(key)) {
          Files.createDirectories(path);
        } else if (SPACES.contains(key) && !Files.exists(path)) {
          write(path, "{\"x\": {\"_type\": \"choice\", \"_value\": [1, 2]}}");
        } else if (FILES.contains(key) && !Files.exists(path)) {
          write(path, "key");
        }
      }
    }
    Path folder = directory.resolve(node.path("codeDir").asText("."));
    if (node.path("classFileName").isTextual() && Files.isDirectory(folder)) {
      Path file = folder.resolve(node.path("classFileName").textValue());
      if (!Files.exists(file)) {
        write(file, "");
      }
    }
    for (JsonNode child : node) {
      complete(child, directory);
    }
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
