package io.orrery.gateway.keeper;

import static io.orrery.gateway.EdgeServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.UserRole;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.EdgeServer;
import io.orrery.gateway.Samples;
import io.orrery.gateway.auth.AccessToken;
import io.orrery.gateway.http.EdgeOptions;
import io.vertx.core.Future;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what keepers may ask of an edge that requires a token. */
class KeeperApiIT {
  private static final String WHO = "{\"keeper\":\"main\",\"instance\":\"i\"}";

  private EdgeServer edge;

  @BeforeEach
  void start() throws Exception {
    edge =
        EdgeServer.start(
            EdgeOptions.loopback(0),
            List.of(AccessToken.of("ci", UserRole.ADMIN, new BearerToken("admin's own secret"))));
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  private HttpRequest.Builder with(String token, String path) {
    return edge.request("/keeper" + path).header("Authorization", "Bearer " + token);
  }

  private HttpRequest.Builder request(String path) {
    return with(edge.tokens.of(Samples.ATTEMPT), path);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return edge.client().send(request.build(), BodyHandlers.ofString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/program", "/parameters", "/code/ab"})
  void nothingIsHandedOutWithoutTheTokenOfAnAttempt(String path) throws Exception {
    AttemptRef other = new AttemptRef(Samples.TRIAL, 2);
    String forged = edge.tokens.of(Samples.ATTEMPT).replace(".1.", "." + other.number() + ".");

    assertThat(send(edge.request("/keeper" + path)).statusCode()).isEqualTo(401);
    assertThat(send(with("x", path)).statusCode()).isEqualTo(401);
    assertThat(send(with(forged, path)).statusCode()).isEqualTo(401);
    assertThat(edge.questions).isEmpty();
  }

  @Test
  void theTokenOfAnAttemptOpensNothingElse() throws Exception {
    HttpRequest.Builder list =
        edge.request("/api/v1/experiments")
            .header("Authorization", "Bearer " + edge.tokens.of(Samples.ATTEMPT));

    assertThat(send(list).statusCode()).isEqualTo(401);
  }

  @Test
  void theProgramIsTheOneThatIsPacked() throws Exception {
    byte[] program =
        edge.client().send(request("/program").build(), BodyHandlers.ofByteArray()).body();

    assertThat(program)
        .isEqualTo(getClass().getResourceAsStream("/keeper/orrery_keeper.pyz").readAllBytes());
  }

  @Test
  void aPieceOfALogGoesToTheAttemptOfTheToken() throws Exception {
    edge.answer(TrialKeepers.LOG, new TrialKeepers.Appended(9));

    HttpResponse<String> answer =
        send(request("/logs/stderr?keeper=worker-1&offset=7").PUT(BodyPublishers.ofString("ab")));

    assertThat(json(answer).get("next").longValue()).isEqualTo(9);
    assertThat(edge.questions)
        .singleElement()
        .usingRecursiveComparison()
        .isEqualTo(
            new TrialKeepers.AppendLog(
                Samples.ATTEMPT, "worker-1", Stream.STDERR, 7, new byte[] {'a', 'b'}));
  }

  @Test
  void aPieceThatIsTooLargeIsRefusedWhole() throws Exception {
    HttpResponse<String> answer =
        send(
            request("/logs/stdout?keeper=main&offset=0")
                .PUT(BodyPublishers.ofByteArray(new byte[(1 << 20) + 1])));

    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(edge.questions).isEmpty();
  }

  @Test
  void thePathOfAnOutputArrivesAsItWasMeant() throws Exception {
    edge.answer(TrialKeepers.OUTPUT, new TrialKeepers.Appended(1));

    send(
        request("/outputs/a%20b/%C3%A9+%25?keeper=main&offset=0&size=1")
            .PUT(BodyPublishers.ofString("x")));
    HttpResponse<String> outside =
        send(
            request("/outputs/%2e%2e/%2e%2e/x?keeper=main&offset=0&size=1")
                .PUT(BodyPublishers.ofString("x")));

    assertThat(outside.statusCode()).isEqualTo(401);
    assertThat(edge.questions)
        .map(question -> ((TrialKeepers.AppendOutput) question).path())
        .containsExactly("a b/é+%");
  }

  @Test
  void codeComesFromWhereTheLastTryWasCut() throws Exception {
    edge.on(
        TrialKeepers.CODE,
        asked ->
            Future.succeededFuture(
                new TrialKeepers.Piece(new byte[] {'x'}, asked.offset() + 1, 5)));

    assertThat(send(request("/code/abc?offset=2")).body()).isEqualTo("xxx");
    assertThat(edge.questions)
        .allSatisfy(asked ->
            assertThat(((TrialKeepers.ReadCode) asked).experiment()).isEqualTo(Samples.EXPERIMENT));
  }

  @Test
  void aDownloadThatFailsIsCutAndNotShort() throws Exception {
    edge.on(
        TrialKeepers.CODE,
        asked ->
            asked.offset() == 0
                ? Future.succeededFuture(new TrialKeepers.Piece(new byte[] {'x'}, 1, 5))
                : Future.failedFuture(new Problem.Broken("the disk").toException()));

    assertThat(edge.client().sendAsync(request("/code/abc").build(), BodyHandlers.ofString()))
        .failsWithin(20, TimeUnit.SECONDS);
  }

  @Test
  void aBeatIsHeldUntilTheAttemptIsToEnd() throws Exception {
    CompletableFuture<Void> asked = new CompletableFuture<>();
    edge.on(
        TrialKeepers.BEAT,
        beat -> {
          asked.complete(null);
          return Future.succeededFuture(new TrialKeepers.Orders(false, List.of()));
        });
    CompletableFuture<HttpResponse<String>> beat =
        edge.client()
            .sendAsync(
                request("/beat").POST(BodyPublishers.ofString(WHO)).build(),
                BodyHandlers.ofString());
    asked.get(20, TimeUnit.SECONDS);
    assertThat(beat).isNotDone();

    edge.publish(
        TrialKeepers.CANCELED, new TrialKeepers.Canceled(new AttemptRef(Samples.TRIAL, 2)));
    edge.publish(TrialKeepers.CANCELED, new TrialKeepers.Canceled(Samples.ATTEMPT));

    assertThat(json(beat.get(10, TimeUnit.SECONDS)).get("cancel").booleanValue()).isTrue();
  }

  @Test
  void aBeatOfAnAttemptThatIsToEndIsAnsweredAtOnce() throws Exception {
    edge.answer(TrialKeepers.BEAT, new TrialKeepers.Orders(true, List.of("http://10.0.0.2:8080")));

    HttpResponse<String> answer = send(request("/beat").POST(BodyPublishers.ofString(WHO)));

    assertThat(json(answer).get("cancel").booleanValue()).isTrue();
  }

  @Test
  void anEndNamesAnExitCode() throws Exception {
    edge.answer(TrialKeepers.END, new TrialKeepers.Done());

    for (String code : List.of("-1", "256", "1.5", "\"0\"", "null")) {
      HttpResponse<String> answer =
          send(
              request("/end")
                  .POST(
                      BodyPublishers.ofString(
                          "{\"keeper\":\"main\",\"instance\":\"i\",\"exitCode\":" + code + "}")));
      assertThat(answer.statusCode()).as(code).isEqualTo(400);
    }
    assertThat(edge.questions).isEmpty();
  }

  @Test
  void lastReportsAreDurableBeforeTheEndIsTold() throws Exception {
    edge.answer(TrialKeepers.END, new TrialKeepers.Done());
    List<Object> before = new CopyOnWriteArrayList<>();
    edge.sink.answer =
        batch -> {
          before.addAll(edge.questions);
          return Future.succeededFuture(new MetricSink.Receipt(batch.size(), 0));
        };
    presentAttempt();

    assertThat(send(finish(report("digits01/abcde") + report("digits01/abcde"))).statusCode())
        .isEqualTo(200);

    assertThat(edge.sink.points)
        .extracting(MetricPoint::attempt)
        .containsExactly(Samples.ATTEMPT, Samples.ATTEMPT);
    assertThat(before).noneMatch(TrialKeepers.End.class::isInstance);
    assertThat(edge.questions)
        .last()
        .isEqualTo(new TrialKeepers.End(Samples.ATTEMPT, "main", "i", 3, "why"));
  }

  @Test
  void anEndWhoseReportsAreNotTakenIsNotTold() throws Exception {
    presentAttempt();

    assertThat(send(finish(report("digits01/other"))).statusCode()).isEqualTo(403);
    assertThat(send(finish("no line")).statusCode()).isEqualTo(400);
    edge.sink.answer =
        batch ->
            Future.failedFuture(
                new Problem.Unavailable("not now", Duration.ofSeconds(1)).toException());
    assertThat(send(finish(report("digits01/abcde"))).statusCode()).isEqualTo(503);
    HttpRequest.Builder without =
        request("/finish").POST(BodyPublishers.ofString(WHO.replace("}", ",\"exitCode\":3}")));
    assertThat(send(without).statusCode()).isEqualTo(400);

    assertThat(edge.questions).noneMatch(TrialKeepers.End.class::isInstance);
  }

  private void presentAttempt() throws Exception {
    edge.answer(Trials.GET, Samples.trial());
  }

  private static String report(String trial) {
    return "{\"trial\":\"" + trial + "\",\"kind\":\"final\",\"sequence\":0,\"value\":1}\n";
  }

  private HttpRequest.Builder finish(String reports) throws Exception {
    ObjectNode last = (ObjectNode) Json.parse(WHO);
    last.put("exitCode", 3).put("reason", "why").put("reports", reports);
    return request("/finish").POST(BodyPublishers.ofString(last.toString()));
  }

  @Test
  void aStartBringsTheRecordToAKeeperThatWantsIt() throws Exception {
    edge.answer(TrialKeepers.START, new TrialKeepers.Done());
    edge.answer(TrialKeepers.PARAMETERS, new TrialKeepers.ParameterFile("{\"parameter_id\":7}"));

    JsonNode plain = json(send(request("/start").POST(BodyPublishers.ofString(WHO))));
    assertThat(plain).isEmpty();
    assertThat(edge.questions).hasSize(1);

    JsonNode wanted = json(send(starting()));
    assertThat(wanted.get("parameters").textValue()).isEqualTo("{\"parameter_id\":7}");
    assertThat(edge.questions).last().isEqualTo(new TrialKeepers.GetParameters(Samples.ATTEMPT));
  }

  @Test
  void aStartWhoseRecordCannotBeReadIsAStart() throws Exception {
    edge.answer(TrialKeepers.START, new TrialKeepers.Done());
    edge.on(
        TrialKeepers.PARAMETERS,
        asked -> Future.failedFuture(new Problem.NotFound("it is not there").toException()));

    HttpResponse<String> answer = send(starting());

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(json(answer)).isEmpty();
  }

  private HttpRequest.Builder starting() {
    String asking = WHO.replace("}", ",\"parameters\":true}");
    return request("/start").POST(BodyPublishers.ofString(asking));
  }
}
