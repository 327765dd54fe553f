package io.orrery.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.problem.Problem;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiFailureTest {
  @Test
  void anExceededQuotaIsTriedAgain() {
    assertThat(
            problem(
                403,
                "pods \\\"x\\\" is forbidden: exceeded quota: team, requested: count/jobs.batch=1",
                null))
        .isInstanceOfSatisfying(
            Problem.Busy.class, busy -> assertThat(busy.detail()).contains("exceeded quota: team"));
  }

  /** K3: and it is never a refusal of ours to our own user (K5). */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "401; Unauthorized",
        "403; jobs.batch is forbidden: User cannot create resource",
        "403; unable to create new content in namespace x because it is being terminated",
        "404; namespaces \\\"trials\\\" not found",
      })
  void aMissingRightOrNamespacePasses(int code, String words) {
    assertThat(problem(code, words, null)).isInstanceOf(Problem.Busy.class);
  }

  /** K6, K10. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "403; admission webhook \\\"policy\\\" denied the request: no root",
        "422; ValidatingAdmissionPolicy p with binding b denied request: no",
        "403; pods \\\"x\\\" is forbidden: violates PodSecurity \\\"restricted:latest\\\"",
        "403; pods is forbidden: maximum cpu usage per Container is 1, but limit is 2",
        "500; failed to create typed patch object: .spec.x: field not declared in schema",
      })
  void whatAdmissionDeniesIsRefusedForGood(int code, String words) {
    assertThat(problem(code, words, null))
        .isInstanceOfSatisfying(
            Problem.Refused.class,
            refused -> {
              assertThat(refused.detail()).doesNotContain("/trainingService");
              assertThat(refused.findings().getFirst().pointer()).isEqualTo("/trainingService");
            });
  }

  /** K9: others of the experiment wait for the same, and are told these words. */
  @Test
  void whatPassesDoesNotNameTheJobThatWasTried() {
    Problem problem =
        ApiFailure.of(
                403, "jobs.batch \"nni-exp-ab-trial-xy\" is forbidden: exceeded quota: team", null)
            .problem("create the Job nni-exp-ab-trial-xy");

    assertThat(problem.detail())
        .isEqualTo(
            "the cluster refused to create the Job: jobs.batch is forbidden: exceeded quota: team");
  }

  @Test
  void throttlingSaysHowLongToWait() {
    assertThat(problem(429, "too many requests", "7"))
        .isInstanceOfSatisfying(
            Problem.Busy.class,
            busy -> assertThat(busy.retryAfter()).isEqualTo(Duration.ofSeconds(7)));
  }

  @Test
  void aWebhooksRefusalIsForGood() {
    assertThat(problem(400, "admission webhook \\\"policy\\\" denied the request: no root", null))
        .isInstanceOfSatisfying(
            Problem.Refused.class, refused -> assertThat(refused.detail()).contains("no root"));
  }

  @Test
  void aWebhookThatDoesNotAnswerIsTriedAgain() {
    assertThat(problem(500, "failed calling webhook \\\"policy\\\"", null))
        .isInstanceOf(Problem.Busy.class);
  }

  @Test
  void aConflictIsTriedAgainSoon() {
    assertThat(problem(409, "the object has been modified", null)).isInstanceOf(Problem.Busy.class);
  }

  @Test
  void aListThatExpiredIsAskedForAgainSoon() {
    assertThat(problem(410, "The provided continue parameter is too old", null))
        .isInstanceOf(Problem.Busy.class);
  }

  @Test
  void plainTextIsReadAsItIs() {
    assertThat(ApiFailure.of(404, "404 page not found\n", null).problem("read it"))
        .isEqualTo(
            new Problem.Busy(
                "the cluster refused to read it: 404 page not found", ApiFailure.LATER));
  }

  private static Problem problem(int code, String message, String retryAfter) {
    String body =
        "{\"kind\":\"Status\",\"reason\":\"X\",\"message\":\""
            + message
            + "\",\"code\":"
            + code
            + "}";
    return ApiFailure.of(code, body, retryAfter).problem("create the Job x");
  }
}
