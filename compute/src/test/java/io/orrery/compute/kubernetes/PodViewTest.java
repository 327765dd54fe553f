package io.orrery.compute.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.json.Json;
import org.junit.jupiter.api.Test;

class PodViewTest {
  @Test
  void anImageThatCannotBeHadIsNamedWithTheReason() {
    PodView pod =
        pod(
            """
            {"phase":"Pending","containerStatuses":[{"name":"main","image":"no/such:1","state":
              {"waiting":{"reason":"ImagePullBackOff","message":"Back-off pulling image"}}}]}
            """);

    assertThat(pod.trouble())
        .isEqualTo("the image no/such:1 cannot be had (ImagePullBackOff): Back-off pulling image");
    assertThat(pod.hopeless()).isTrue();
    assertThat(pod.over()).isFalse();
  }

  /** K6. */
  @Test
  void anImageOfAnInitContainerThatCannotBeHadIsHopelessAsWell() {
    PodView pod =
        pod(
            """
            {"phase":"Pending","initContainerStatuses":[{"name":"barrier","image":"no/such:2","state":
              {"waiting":{"reason":"ErrImagePull","message":"not found"}}}],
             "containerStatuses":[{"name":"main","image":"python:3","state":
              {"waiting":{"reason":"PodInitializing"}}}]}
            """);

    assertThat(pod.trouble())
        .isEqualTo("the image no/such:2 cannot be had (ErrImagePull): not found");
    assertThat(pod.hopeless()).isTrue();
  }

  @Test
  void whatNoNodeHasRoomForSaysSo() {
    PodView pod =
        pod(
            """
            {"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False",
              "reason":"Unschedulable","message":"0/3 nodes are available: 3 Insufficient nvidia.com/gpu."}]}
            """);

    assertThat(pod.trouble()).startsWith("no node has room").contains("nvidia.com/gpu");
    assertThat(pod.hopeless()).isFalse();
  }

  @Test
  void tooMuchMemoryIsAnExitCodeWithAReason() {
    PodView pod =
        pod(
            """
            {"phase":"Failed","containerStatuses":[{"name":"main","state":{"terminated":
              {"exitCode":137,"reason":"OOMKilled","startedAt":"2026-01-01T00:00:00Z"}}}]}
            """);

    assertThat(pod.exitCode()).isEqualTo(137);
    assertThat(pod.trouble()).contains("more memory than it may");
    assertThat(pod.lost()).isFalse();
  }

  @Test
  void anEvictedPodIsLostAndHasNoExitCode() {
    PodView pod =
        pod(
            """
            {"phase":"Failed","reason":"Evicted","message":"The node was low on resource: memory.",
             "containerStatuses":[{"name":"main","state":{"terminated":{"exitCode":137}}}]}
            """);

    assertThat(pod.lost()).isTrue();
    assertThat(pod.exitCode()).isNull();
    assertThat(pod.trouble())
        .isEqualTo("the node evicted its pod: The node was low on resource: memory.");
  }

  @Test
  void aPreemptedPodIsLost() {
    PodView pod =
        pod(
            """
            {"phase":"Failed","conditions":[{"type":"DisruptionTarget","status":"True",
              "reason":"PreemptionByScheduler","message":"preempted by pod x"}]}
            """);

    assertThat(pod.lost()).isTrue();
    assertThat(pod.trouble()).contains("PreemptionByScheduler");
  }

  @Test
  void aSidecarDoesNotSpeakForTheTrial() {
    PodView pod =
        pod(
            """
            {"phase":"Failed","containerStatuses":[
              {"name":"a-sidecar","state":{"terminated":{"exitCode":9}}},
              {"name":"main","state":{"terminated":{"exitCode":3,"reason":"Error"}}}]}
            """);

    assertThat(pod.exitCode()).isEqualTo(3);
    assertThat(pod.trouble()).isNull();
  }

  private static PodView pod(String status) {
    return PodView.of("main", "main", null, Json.parse(status));
  }
}
