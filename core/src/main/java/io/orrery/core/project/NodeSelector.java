package io.orrery.core.project;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A node selector: the labels of the machines of a project, each key once, in the order of the
 * text.
 *
 * <p>The text is {@code key=value} with {@code ;} (or a line break or a tab) between two labels.
 * Keys and values have the syntax of Kubernetes. The value of {@code org} alone may be a list with
 * commas: machines of any of these resource groups.
 *
 * @param labels values by key; for {@code org} with commas between several
 */
public record NodeSelector(Map<String, String> labels) {
  /** The largest number of characters of a text. */
  public static final int MOST_CHARACTERS = 10_000;

  /** The largest number of labels in a text. */
  public static final int MOST_LABELS = 100;

  /** A selector that every machine satisfies. */
  public static final NodeSelector ANY = new NodeSelector(Map.of());

  /** The key of the label that names the resource group of a machine. */
  public static final String ORG = "org";

  /** The resource group of a workload that names none. */
  public static final String DEFAULT_ORG = "public";

  private static final String GPU_TYPE = "gpu-type";
  private static final String TRUE = "true";

  /**
   * @throws IllegalArgumentException when a label could not be read back from the text
   */
  public NodeSelector {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    labels.forEach(NodeSelector::require);
  }

  private static void require(String key, String value) {
    boolean isRight =
        key.equals(ORG)
            ? !value.isEmpty() && SelectorReader.orgs(value).equals(orgsOf(value))
            : LabelSyntax.keyFault(key) == null && LabelSyntax.valueFault(value) == null;
    if (!isRight) {
      throw new IllegalArgumentException("not a label: " + key + "=" + value);
    }
  }

  private static Parsed<List<String>> orgsOf(String value) {
    return new Parsed<>(List.of(value.split(",")), List.of(), List.of());
  }

  /**
   * Reads a text; a blank one has no labels.
   *
   * @return the labels that are right, and every finding: a syntax error, or one key with two
   *     values. A label that is repeated with the same value is a notice
   */
  public static Parsed<NodeSelector> read(String text) {
    return SelectorReader.read(text);
  }

  /**
   * Reads a list of resource groups, {@code a,b}; a blank text has none.
   *
   * @return each once, in the order of the text
   */
  public static Parsed<List<String>> readOrgs(String text) {
    return SelectorReader.orgs(text);
  }

  /** The resource groups of the label {@code org}; empty when there is none. */
  public List<String> orgs() {
    String value = labels.get(ORG);
    return value == null ? List.of() : List.of(value.split(","));
  }

  /**
   * Computes the labels of the nodes that may run a workload. To the labels of this selector it
   * adds {@code gpu=true} in place of {@code cpu=true} when the workload has a GPU, otherwise
   * {@code cpu=true} in place of {@code gpu=true}; then {@code <role>=true}, {@code
   * gpu-type=<TYPE>}, and {@code org}. Several resource groups become an affinity, because no node
   * has a label with commas.
   *
   * @param gpus the number of GPUs, from 0
   * @param gpuType the model of the GPUs, in any case; null for any. Without a GPU it has no effect
   * @param org resource groups with commas between them, for a selector that has no label {@code
   *     org}; null for {@value #DEFAULT_ORG}
   * @throws io.orrery.core.problem.ProblemException Refused, with every finding, when the selector
   *     gives another value to a key that the workload needs, or the type or {@code org} is no
   *     label value. The labels of a project are never replaced: they are its limit
   * @throws IllegalArgumentException when {@code gpus} is negative
   */
  public NodePlacement forWorkload(
      WorkloadRole role, int gpus, @Nullable String gpuType, @Nullable String org) {
    if (gpus < 0) {
      throw new IllegalArgumentException("a workload with " + gpus + " GPUs");
    }
    Needed needed = new Needed(labels);
    needed.swap(gpus > 0 ? "cpu" : "gpu", gpus > 0 ? "gpu" : "cpu");
    needed.label(role.label(), TRUE);
    if (gpus > 0 && gpuType != null && !gpuType.isBlank()) {
      needed.label(GPU_TYPE, gpuType.strip().toUpperCase(Locale.ROOT));
    }
    return needed.placement(org);
  }

  /** The labels of one workload, while they are computed. */
  private static final class Needed {
    private final Map<String, String> labels;
    private final List<Finding> findings = new ArrayList<>();

    Needed(Map<String, String> labels) {
      this.labels = new LinkedHashMap<>(labels);
    }

    void swap(String from, String to) {
      labels.remove(from, TRUE);
      label(to, TRUE);
    }

    void label(String key, String value) {
      String fault = LabelSyntax.valueFault(value);
      String before = labels.putIfAbsent(key, value);
      if (fault != null) {
        findings.add(new Finding("", "the label " + key + " cannot be set: " + fault));
      } else if (before != null && !before.equals(value)) {
        findings.add(
            new Finding(
                "",
                ("the workload needs a node with %s=%s, and the node selector of the project says"
                        + " %1$s=%s; change one of the two")
                    .formatted(key, value, before)));
      }
    }

    NodePlacement placement(@Nullable String org) {
      List<String> orgs = orgs(org);
      if (!findings.isEmpty()) {
        throw Problem.Refused.of(findings).toException();
      }
      if (orgs.size() > 1) {
        labels.remove(ORG);
        return new NodePlacement(labels, orgs);
      }
      labels.putIfAbsent(ORG, orgs.getFirst());
      return new NodePlacement(labels, List.of());
    }

    private List<String> orgs(@Nullable String org) {
      String own = labels.get(ORG);
      Parsed<List<String>> read = SelectorReader.orgs(own != null ? own : org == null ? "" : org);
      read.findings().forEach(finding -> findings.add(finding.at("/" + ORG)));
      return read.value().isEmpty() ? List.of(DEFAULT_ORG) : read.value();
    }
  }

  /** The canonical text, with {@code ;} between two labels; reading it gives an equal selector. */
  public String text() {
    return labels.entrySet().stream()
        .map(label -> label.getKey() + "=" + label.getValue())
        .collect(Collectors.joining(";"));
  }
}
