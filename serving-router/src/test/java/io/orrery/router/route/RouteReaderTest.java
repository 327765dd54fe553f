package io.orrery.router.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.route.RouteLayer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteReaderTest {
  private static final String FULL =
      """
      services:
        - name: resnet-1
          hosts: [resnet.service.example.com, "*.vision.example.com"]
          match: [{path: /v2/, header: {X-Tier: gold}, cookie: {beta: "1"}}]
          stage: production
          endpoints: [127.0.0.1:9001, "[::1]:9002"]
          protocol: h2c
          split: "resnet-2:20%,resnet-3:5.5%"
          sticky: {cookie: canary}
          mirror: "resnet-3:100%"
          balance: {hash: "header:x-user"}
          timeout: {connect: 1s, firstByte: 30s, idle: 1m, total: 300}
          retries: {attempts: 2, on: [connect-failure, reset, 503]}
          health: {path: /healthz, interval: 2s, timeout: 500ms, healthy: 2, unhealthy: 3}
          ejection: {consecutive: 5, for: 30s, atMost: 50%}
          limits: {connections: 1024, pending: 10, requests: 4096, rate: 100/second}
        - {name: resnet-2, endpoints: [127.0.0.1:9003]}
        - {name: resnet-3}
      """;

  @Test
  void aServiceOfAPortHasNoHostAndIsFoundByItsName() {
    RouteTable table =
        read("services: [{name: db, tcp: {port: 31000}, endpoints: ['127.0.0.1:5432']}]");

    assertThat(table.service("db").tcp()).isEqualTo(31_000);
    assertThat(table.service("db").timeouts().idle()).isEqualTo(Duration.ofHours(1));
    assertThat(table.ofPorts()).extracting(Service::name).containsExactly("db");
    assertThat(table.sole("db.service.example.com")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      quoteCharacter = '`',
      value = {
        "{name: a, tcp: {port: 80}} > /services/0/tcp/port",
        "{name: a, tcp: {}} > /services/0/tcp/port",
        "{name: a, tcp: {port: 31000, host: x}} > /services/0/tcp/host",
        "{name: a, tcp: {port: 31000}, hosts: [a.example.com]} > /services/0/hosts",
        "{name: a, tcp: {port: 31000}, health: {path: /}} > /services/0/health",
        "{name: a, tcp: {port: 31000}}, {name: b, tcp: {port: 31000}} > /services/1/tcp/port",
        "{name: a, split: 'b:5%'}, {name: b, tcp: {port: 31000}} > /services/0/split"
      })
  void whatAServiceOfAPortCannotHaveIsAFinding(String services, String pointer) {
    ProblemException refused =
        catchThrowableOfType(ProblemException.class, () -> read("services: [" + services + "]"));

    assertThat(((Problem.Refused) refused.problem()).findings())
        .extracting(Finding::pointer)
        .containsExactly(pointer);
  }

  @Test
  void everyKeyArrives() {
    Service service = read(FULL).services().getFirst();

    assertThat(service.hosts())
        .containsExactly("resnet.service.example.com", "*.vision.example.com");
    assertThat(service.match().getFirst().headers()).containsEntry("x-tier", "gold");
    assertThat(service.endpoints())
        .extracting(EndpointAddress::toString)
        .containsExactly("127.0.0.1:9001", "[::1]:9002");
    assertThat(service.protocol()).isEqualTo(Service.Protocol.H2C);
    assertThat(service.split())
        .containsExactly(new Share("resnet-2", 20), new Share("resnet-3", 5.5));
    assertThat(service.sticky()).isEqualTo(new RequestKey.Cookie("canary"));
    assertThat(service.balance())
        .isEqualTo(new Balance.Hash(new RequestKey.Header("x-user"), Double.POSITIVE_INFINITY));
    assertThat(service.timeouts())
        .isEqualTo(
            new Timeouts(
                Duration.ofSeconds(1),
                Duration.ofSeconds(30),
                Duration.ofMinutes(1),
                Duration.ofMinutes(5)));
    assertThat(service.retries().on()).hasSize(3);
    assertThat(service.health().timeout()).isEqualTo(Duration.ofMillis(500));
    assertThat(service.ejection()).isEqualTo(EjectionRule.DEFAULT);
    assertThat(service.limits().rate())
        .isEqualTo(new Limits.Rate(100, Duration.ofSeconds(1), new RequestKey.Client()));
    assertThat(service.limits().pending()).isEqualTo(10);
  }

  @Test
  void jsonIsReadAsWell() {
    assertThat(read("{\"services\":[{\"name\":\"a\"}]}").services()).hasSize(1);
  }

  @Test
  void whatWasReadCanBeReadAgainWithTheStateThatAnAnswerAdds() {
    RouteTable table = read(FULL);
    JsonNode document = Json.parse(table.document(RouteLayer.TABLE));
    ((ObjectNode) document.get(0)).putObject("state").put("x", 1);

    RouteTable again = read("{\"services\":" + document + "}");

    assertThat(again.services()).isEqualTo(table.services());
    assertThat(again.document(RouteLayer.TABLE)).isEqualTo(table.document(RouteLayer.TABLE));
  }

  @Test
  void aServiceKeepsWhatItDoesNotGiveAway() {
    Split split = split("a:20%,b:30%");

    assertThat(split.part(1)).isEqualTo(0.2);
    assertThat(split.part(2)).isCloseTo(0.3, org.assertj.core.data.Offset.offset(1e-12));
    assertThat(split.part(0)).isCloseTo(0.5, org.assertj.core.data.Offset.offset(1e-12));
  }

  @Test
  void bodiesAreComparedOnlyWithWhoGetsCopies() {
    assertThat(
            findings(
                "services: [{name: a, mirror: 'old-b:5%', compareBodies: [old-b, old-c]}, {name:"
                    + " old-b}]"))
        .extracting(Finding::pointer, Finding::message)
        .containsExactly(
            tuple(
                "/services/0/compareBodies/1",
                "mirror does not name old-c (did you mean 'old-b'?)"));
    assertThat(
            read("services: [{name: a, mirror: 'b:5%;c:1%', compareBodies: [b]}, {name: b}, {name:"
                    + " c}]")
                .services()
                .getFirst()
                .mirror())
        .containsExactly(new Shadow(new Share("b", 5), true), new Shadow(new Share("c", 1), false));
  }

  @Test
  void allOfItMayBeGivenAwayAndNothing() {
    assertThat(split("a:100%").pick(0.9999999)).isEqualTo(1);
    assertThat(split("a:60%,b:40%").part(0)).isZero();
    assertThat(split("a:0%").part(0)).isEqualTo(1);
    assertThat(split("a:33.4%;b:33.3%").pick(0.9)).isZero();
  }

  @Test
  void aTargetMayGiveAPartOfItsPartAway() {
    RouteTable table =
        read(
            """
            services:
              - {name: a, split: "b:50%"}
              - {name: b, split: "c:10%"}
              - {name: c}
            """);

    Split split = table.split(table.services().getFirst());
    assertThat(split.part(2)).isCloseTo(0.05, org.assertj.core.data.Offset.offset(1e-12));
    assertThat(split.part(1)).isCloseTo(0.45, org.assertj.core.data.Offset.offset(1e-12));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "split: \"a:101%\" | /services/0/split | 100 is the most",
        "split: \"a:60%,b:41%\" | /services/0/split | 101 %",
        "split: \"c:10%\" | /services/0/split | there is no service c",
        "split: \"a:10%,a:10%\" | /services/0/split | twice",
        "split: \"owner:10%\" | /services/0/split | names itself",
        "split: a | /services/0/split | service:20%",
        "split: \"a:-5%\" | /services/0/split | service:20%",
        "split: \"a:x%\" | /services/0/split | service:20%",
        "mirror: \"c:10%\" | /services/0/mirror | there is no service c",
        "mirror: \"a:120%\" | /services/0/mirror | 100 is the most",
        "hosts: [example.org] | /services/0/hosts/0 | must end with .example.com",
        "hosts: [badexample.com] | /services/0/hosts/0 | must end with .example.com",
        "hosts: [\"a.example.com:80\"] | /services/0/hosts/0 | without port",
        "stage: prod | /services/0/stage | production, test, debug",
        "endpoints: [localhost] | /services/0/endpoints/0 | host:port",
        "endpoints: [\"a:70000\"] | /services/0/endpoints/0 | host:port",
        "endpoints: [\"a:1\", \"a:1\"] | /services/0/endpoints/1 | twice",
        "protocol: grpc | /services/0/protocol | http1, h2c, https",
        "sticky: {cookie: a, header: b} | /services/0/sticky | one of",
        "balance: fastest | /services/0/balance | least-requests, round-robin",
        "balance: {hash: user} | /services/0/balance/hash | header:NAME",
        "timeout: {connect: soon} | /services/0/timeout/connect | 500ms",
        "timeout: {conect: 1s} | /services/0/timeout/conect | did you mean 'connect'",
        "retries: {on: [always]} | /services/0/retries/on | connect-failure",
        "health: {path: health} | /services/0/health/path | slash",
        "ejection: {atMost: 150%} | /services/0/ejection/atMost | 100%",
        "limits: {rate: 5/day} | /services/0/limits/rate | N/second",
        "limits: {rate: 0/second} | /services/0/limits/rate | N/second",
        "limits: {requests: 0} | /services/0/limits/requests | whole number",
        "match: [{path: v2}] | /services/0/match/0/path | slash",
        "sticky: {header: x y} | /services/0/sticky/header | no request has the name 'x y'",
        "balance: {hash: 'cookie:a,b'} | /services/0/balance/hash | no request has the name",
        "spilt: \"a:10%\" | /services/0/spilt | did you mean 'split'"
      })
  void aFaultIsRefusedWithItsPlace(String key, String pointer, String words) {
    Finding finding =
        findings("services:\n  - name: owner\n    " + key + "\n  - name: a\n  - name: b\n")
            .getFirst();

    assertThat(finding.pointer()).isEqualTo(pointer);
    assertThat(finding.message()).contains(words);
    assertThat(finding.line()).isEqualTo(3);
  }

  /** E6: a rule is compared with what clients send, so its author is told how they spell it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "match: [{path: '/a?b'}] | /services/0/match/0/path | write '/a' for any query, or"
            + " '/a%3Fb'",
        "match: [{path: '/café'}] | /services/0/match/0/path | write '/caf%C3%A9'",
        "match: [{path: '/a b'}] | /services/0/match/0/path | write '/a%20b'",
        "match: [{path: '/a#b'}] | /services/0/match/0/path | write '/a%23b'",
        "match: [{path: \"/a\\tb\"}] | /services/0/match/0/path | write '/a%09b'",
        "match: [{path: '/你'}] | /services/0/match/0/path | write '/%E4%BD%A0'",
        "match: [{header: {'x y': 1}}] | /services/0/match/0/header/x y | no request has the name",
        "match: [{header: {x: 'é'}}] | /services/0/match/0/header/x | no request has the value",
        "match: [{header: {x: ' a'}}] | /services/0/match/0/header/x | no request has the value",
        "match: [{cookie: {'a;b': 1}}] | /services/0/match/0/cookie/a;b | no request has the name",
        "match: [{cookie: {a: '1;2'}}] | /services/0/match/0/cookie/a | no request has the value",
        "health: {path: '/é?a#b'} | /services/0/health/path | write '/%C3%A9?a%23b'",
      })
  void aRuleThatCanNeverFitIsRefusedWithTheSpellingThatFits(
      String key, String pointer, String words) {
    aFaultIsRefusedWithItsPlace(key, pointer, words);
  }

  /** E6: what a request can be spelled like is taken as it is. */
  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/v2/", "/caf%C3%A9", "/a+b", "/a%20b", "/~u/!$&'()*,;=:@", "/a//b", "/{x}|"})
  void aRuleThatCanFitIsTaken(String path) {
    RouteTable table =
        read(
            "services: [{name: a, match: [{path: \""
                + path
                + "\", header: {X-Model: 'a b, c', x: ''}, cookie: {v: '\"1\"'}}]}]");

    assertThat(table.services().getFirst().match().getFirst().path()).isEqualTo(path);
  }

  /** E7: in JSON as in YAML, and both with the line. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"services\": [{\"name\": \"a\",\n\"name\": \"b\"}]}",
        "services: [{name: a,\n  name: b}]"
      })
  void aKeyThatIsThereTwiceIsRefused(String text) {
    assertThat(findings(text))
        .extracting(Finding::pointer, Finding::message, Finding::line)
        .containsExactly(tuple("/services/0/name", "this key is here twice", 2));
  }

  /** E8: what is JSON is read by its rules, which are not all those of YAML. */
  @Test
  void aTableInJsonMayHaveWhatYamlDoesNotKnow() {
    String long_ = "x".repeat(2_000);
    RouteTable table =
        read(
            "{\"services\": [{\"name\": \"a\", \"match\": [{\"path\": \"\\/v2\",\t\"header\":"
                + " {\""
                + long_
                + "\": \"1\"}}]}]}");

    assertThat(table.services().getFirst().match().getFirst().path()).isEqualTo("/v2");
    assertThat(table.services().getFirst().match().getFirst().headers()).containsKey(long_);
  }

  @Test
  void aCycleIsNamedFromEndToEnd() {
    List<Finding> findings =
        findings(
            """
            services:
              - {name: a, split: "b:10%"}
              - {name: b, split: "c:10%"}
              - {name: c, split: "a:10%"}
            """);

    assertThat(findings).hasSize(1);
    assertThat(findings.getFirst().message()).isEqualTo("a cycle: a → b → c → a");
    assertThat(findings.getFirst().pointer()).isEqualTo("/services/2/split");
  }

  @Test
  void allFaultsAreSaidAtOnce() {
    assertThat(
            findings(
                """
                services:
                  - {name: a, stage: x, split: "zzz:1%"}
                  - {name: a}
                  - {endpoints: [nowhere]}
                """))
        .extracting(Finding::pointer)
        .containsExactlyInAnyOrder(
            "/services/0/stage",
            "/services/0/split",
            "/services/1/name",
            "/services/2/name",
            "/services/2/endpoints/0");
  }

  @Test
  void oneNameMayStandForThreeStages() {
    RouteTable table =
        read(
            """
            services:
              - {name: a, split: "b:10%"}
              - {name: a, stage: test, split: "b:10%"}
              - {name: a, stage: debug}
              - {name: b}
              - {name: b, stage: test}
            """);

    assertThat(table.split(table.services().get(0)).part(3)).isEqualTo(0.1);
    assertThat(table.split(table.services().get(1)).part(4)).isEqualTo(0.1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "42", "services: 5", "services: [5]", "{}", "other: []"})
  void whatIsNoTableIsRefused(String text) {
    assertThat(findings(text)).isNotEmpty();
  }

  @Test
  void aServiceOfAnotherLayerIsNoPartOfTheFileOfARouter() {
    assertThatThrownBy(() ->
            RouterFile.read(
                """
                listen: {port: 8000}
                services: [{name: a, layer: studio}]
                """,
                Path.of("/etc/orrery")))
        .isInstanceOf(ProblemException.class);
  }

  @Test
  void theFileOfARouterSaysWhereItListens() {
    RouterFile file =
        RouterFile.read(
            """
            listen: {host: 0.0.0.0, port: 80, reusePort: true, tls: [{hosts: ["*.example.com"], certificate: c.pem, key: k.pem}]}
            admin: {port: 9000}
            domain: example.com
            accessLog: {sample: 5%}
            services: [{name: a, hosts: [a.example.com]}]
            """,
            Path.of("/etc/orrery"));

    assertThat(file.listen().address()).isEqualTo(new RouterFile.Address("0.0.0.0", 80));
    assertThat(file.listen().reusePort()).isTrue();
    assertThat(file.listen().tls().getFirst().key()).isEqualTo(Path.of("/etc/orrery/k.pem"));
    assertThat(file.admin())
        .isEqualTo(new RouterFile.Admin(new RouterFile.Address("127.0.0.1", 9000), null));
    assertThat(file.accessLog().percent()).isEqualTo(5);
    assertThat(file.table().services()).hasSize(1);
  }

  private static Split split(String text) {
    RouteTable table =
        read("services:\n  - {name: o, split: \"" + text + "\"}\n  - name: a\n  - name: b\n");
    return table.split(table.services().getFirst());
  }

  private static RouteTable read(String text) {
    return RouteReader.read(text, "example.com");
  }

  private static List<Finding> findings(String text) {
    ProblemException e = catchThrowableOfType(ProblemException.class, () -> read(text));
    return ((Problem.Refused) e.problem()).findings();
  }
}
