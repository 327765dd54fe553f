package io.orrery.orchestrator.platform.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.problem.Problem;
import java.time.Duration;
import org.junit.jupiter.api.Test;

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

  @Test
  void aMissingPermissionIsNot() {
    assertThat(problem(403, "jobs.batch is forbidden: User cannot create resource", null))
        .isInstanceOf(Problem.Forbidden.class);
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
        .isEqualTo(new Problem.NotFound("the cluster refused to read it: 404 page not found"));
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
