package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.kubernetes.ApiTime;
import io.orrery.kubernetes.Metadata;
import io.orrery.kubernetes.WatchedObject;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A digest of a pod: the parts of its metadata and status that matter to its attempt.
 *
 * @param role of the attempt that it plays
 * @param over whether all its processes are gone
 * @param leavingBy when its time is over, if it is being deleted; else null
 * @param startedAt when its container began to run; null while it has not
 * @param exitCode of its container; null while there is none, or when the node took it
 * @param trouble why it does not run, or ended badly, in words for the user; null when all is well
 * @param lost whether the cluster, not the command, ended it
 * @param hopeless whether it cannot begin to run without a repair by an administrator
 */
record PodView(
    String role,
    boolean over,
    @Nullable Instant leavingBy,
    @Nullable Instant startedAt,
    @Nullable Integer exitCode,
    @Nullable String trouble,
    boolean lost,
    boolean hopeless) {

  private static final String MAIN = "kubectl.kubernetes.io/default-container";

  /** Reasons that a pod itself gives when its node, not its command, ended it. */
  private static final Map<String, String> TAKEN =
      Map.of(
          "Evicted", "the node evicted its pod",
          "NodeLost", "its node was lost",
          "NodeShutdown", "its node was shut down",
          "Shutdown", "its node was shut down",
          "Terminated", "its node was shut down",
          "Preempting", "its pod was preempted",
          "UnexpectedAdmissionError", "its node did not admit the pod",
          "OutOfcpu", "its node had no processor left for the pod",
          "OutOfmemory", "its node had no memory left for the pod",
          "DeadlineExceeded", "its pod passed the deadline that it was given");

  private static final Set<String> NO_IMAGE =
      Set.of("ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull");

  private static final Set<String> NOT_CREATED =
      Set.of(
          "CreateContainerConfigError",
          "CreateContainerError",
          "RunContainerError",
          "CrashLoopBackOff");

  /** The fields of a pod's status that list its containers: init containers first. */
  private static final List<String> CONTAINERS =
      List.of("initContainerStatuses", "containerStatuses");

  /** Reads a pod as a watch shows it. */
  static PodView of(Metadata pod, JsonNode status) {
    return of(
        pod.labels().getOrDefault(Labels.ROLE, ""),
        pod.annotations().get(MAIN),
        time(pod.deleted()),
        status);
  }

  /** Reads a pod as the API server lists it. */
  static PodView of(JsonNode pod) {
    return of(Metadata.of(pod.path("metadata")), pod.path(WatchedObject.STATUS));
  }

  /** Why the first of these pods that is in trouble is; null when all is well. */
  static @Nullable String trouble(Collection<PodView> pods) {
    return pods.stream().map(PodView::trouble).filter(Objects::nonNull).findFirst().orElse(null);
  }

  /** Whether its container runs or ran. */
  boolean hasBegun() {
    return startedAt != null || over;
  }

  /** Whether it is being deleted. */
  boolean leaving() {
    return leavingBy != null;
  }

  /** Whether it should have been gone for so long: its node does not answer. */
  boolean isOverdue(Instant now, Duration patience) {
    return leavingBy != null && now.isAfter(leavingBy.plus(patience));
  }

  /** Whether all processes of a pod are gone, by its {@code status}. */
  private static boolean isOver(JsonNode status) {
    String phase = status.path("phase").asText();
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  /**
   * @param main the name of the container that counts; null for the first
   */
  static PodView of(
      String role, @Nullable String main, @Nullable Instant leavingBy, JsonNode status) {
    JsonNode container = container(status.path("containerStatuses"), main);
    JsonNode ended = container.path("state").path("terminated");
    JsonNode started = ended.isMissingNode() ? container.path("state").path("running") : ended;
    String taken = taken(status);
    String waits = waits(status);
    boolean over = isOver(status);
    return new PodView(
        role,
        over,
        leavingBy,
        time(started.path("startedAt")),
        ended.has("exitCode") && taken == null ? ended.path("exitCode").intValue() : null,
        taken != null ? taken : over ? ending(ended, status) : waits,
        taken != null,
        !over && isHopeless(status));
  }

  private static JsonNode container(JsonNode statuses, @Nullable String main) {
    for (JsonNode status : statuses) {
      if (main == null || status.path("name").asText().equals(main)) {
        return status;
      }
    }
    return statuses.path(0);
  }

  private static @Nullable String taken(JsonNode status) {
    String reason = status.path("reason").asText();
    String words = TAKEN.get(reason);
    for (JsonNode condition : status.path("conditions")) {
      boolean target =
          condition.path("type").asText().equals("DisruptionTarget")
              && condition.path("status").asText().equals("True");
      if (target) {
        return with(
            "the cluster took its pod away (" + condition.path("reason").asText() + ")",
            condition.path("message"));
      }
    }
    return words == null ? null : with(words, status.path("message"));
  }

  private static @Nullable String waits(JsonNode status) {
    for (String which : CONTAINERS) {
      for (JsonNode container : status.path(which)) {
        JsonNode waiting = container.path("state").path("waiting");
        String reason = waiting.path("reason").asText();
        if (NO_IMAGE.contains(reason)) {
          return with(
              "the image " + container.path("image").asText() + " cannot be had (" + reason + ")",
              waiting.path("message"));
        }
        if (NOT_CREATED.contains(reason)) {
          return with("its container cannot start (" + reason + ")", waiting.path("message"));
        }
      }
    }
    for (JsonNode condition : status.path("conditions")) {
      boolean scheduled = condition.path("type").asText().equals("PodScheduled");
      if (scheduled && condition.path("status").asText().equals("False")) {
        return with("no node has room for its pod", condition.path("message"));
      }
    }
    return null;
  }

  private static boolean isHopeless(JsonNode status) {
    for (String which : CONTAINERS) {
      for (JsonNode container : status.path(which)) {
        String reason = container.path("state").path("waiting").path("reason").asText();
        if (NO_IMAGE.contains(reason) || NOT_CREATED.contains(reason)) {
          return true;
        }
      }
    }
    return false;
  }

  private static @Nullable String ending(JsonNode ended, JsonNode status) {
    for (JsonNode container : status.path("initContainerStatuses")) {
      JsonNode first = container.path("state").path("terminated");
      int code = first.path("exitCode").intValue();
      if (code != 0) {
        return with(
            "its init container %s ended with exit code %d"
                .formatted(container.path("name").asText(), code),
            first.path("message"));
      }
    }
    String reason = ended.path("reason").asText();
    if (reason.equals("OOMKilled")) {
      return "it used more memory than it may (OOMKilled): raise the memory of its role";
    }
    if (ended.path("exitCode").intValue() == 0) {
      return null;
    }
    String words = ended.path("message").asText(status.path("message").asText());
    boolean ordinary = reason.isEmpty() || reason.equals("Error");
    if (ordinary && words.isBlank()) {
      return null;
    }
    return (ordinary ? "" : reason + (words.isBlank() ? "" : ": ")) + words.strip();
  }

  private static String with(String words, JsonNode message) {
    String more = message.asText().strip();
    return more.isEmpty() ? words : words + ": " + more;
  }

  /** A time as API servers write it; null for none. */
  static @Nullable Instant time(JsonNode text) {
    return time(text.textValue());
  }

  private static @Nullable Instant time(@Nullable String text) {
    try {
      return text == null ? null : ApiTime.parse(text);
    } catch (DateTimeParseException e) {
      return null;
    }
  }
}
