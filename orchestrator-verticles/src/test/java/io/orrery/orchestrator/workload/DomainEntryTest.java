package io.orrery.orchestrator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.DomainRoutes.DomainRoute;
import io.orrery.core.json.Json;
import io.orrery.core.route.DomainRouteName;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceShare;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Divides the requests of a host among services that can answer, and those that cannot. */
class DomainEntryTest {
  private static final String HOST = "www.service.example.com";
  private final Map<String, ObjectNode> services = new HashMap<>();

  private void service(String name, String rest) {
    services.put(name, (ObjectNode) Json.parse("{\"name\":\"%s\"%s}".formatted(name, rest)));
  }

  private static DomainRoute route(String shares) {
    return new DomainRoute(
        HOST,
        1,
        List.of(shares.split(",")).stream()
            .map(share -> share.split(":"))
            .map(parts -> new ServiceShare(new ServiceName(parts[0]), Integer.parseInt(parts[1])))
            .toList(),
        List.of());
  }

  private String split(String shares, String... resting) {
    ObjectNode entry = DomainEntry.of(route(shares), services, List.of(resting));
    return entry == null ? "none" : entry.path("split").asText();
  }

  private void ready(String name) {
    service(name, ",\"endpoints\":[\"127.0.0.1:9001\"]");
  }

  private void empty(String name) {
    service(name, ",\"endpoints\":[]");
  }

  @Test
  void eachThatCanAnswerHasItsShare() {
    ready("aa");
    ready("bb");

    assertThat(split("aa:80,bb:20")).isEqualTo("aa:80%,bb:20%");
    assertThat(split("aa:0,bb:100")).isEqualTo("bb:100%");
    assertThat(split("bb:100,cc:0")).isEqualTo("bb:100%");
  }

  @Test
  void theShareOfOneThatCannotAnswerGoesToTheFirstThatCan() {
    ready("aa");
    empty("bb");

    assertThat(split("aa:80,bb:20")).isEqualTo("aa:100%");
    assertThat(split("bb:60,aa:40")).isEqualTo("aa:100%");
    assertThat(split("bb:100,aa:0")).isEqualTo("bb:100%");
    assertThat(split("cc:90,bb:10")).isEqualTo("bb:100%");
    assertThat(split("cc:100")).isEqualTo("none");
  }

  @Test
  void oneThatRestsKeepsItsShareSoThatARequestBeginsIt() {
    ready("aa");
    service("bb", ",\"endpoints\":[],\"hold\":{\"requests\":10,\"for\":\"5s\"}");

    assertThat(split("aa:80,bb:20", "bb")).isEqualTo("aa:80%,bb:20%");
    assertThat(split("aa:80,bb:20")).isEqualTo("aa:100%");
  }

  @Test
  void whatBelongsToTheHostIsTakenFromTheServiceThatLeads() {
    service(
        "aa",
        ",\"endpoints\":[\"127.0.0.1:9001\"],\"sticky\":\"client\",\"mirror\":\"dd:50%\","
            + "\"compareBodies\":[\"dd\"],"
            + "\"limits\":{\"requests\":10,\"rate\":\"5/second\",\"rateBy\":\"path:1\"},"
            + "\"timeout\":{\"total\":\"1s\"}");
    ready("bb");
    ready("cc");

    ObjectNode entry =
        DomainEntry.of(
            new DomainRoute(
                HOST,
                1,
                List.of(new ServiceShare(new ServiceName("aa"), 100)),
                List.of(
                    new ServiceShare(new ServiceName("bb"), 100),
                    new ServiceShare(new ServiceName("cc"), 0),
                    new ServiceShare(new ServiceName("missing"), 100))),
            services,
            List.of());

    assertThat(entry)
        .isEqualTo(
            Json.parse(
                """
                {"name": "domain.www.service.example.com", "hosts": ["www.service.example.com"],
                 "endpoints": [], "sticky": "client", "mirror": "dd:50%,bb:100%",
                 "compareBodies": ["dd", "bb"],
                 "limits": {"rate": "5/second", "rateBy": "path:1"}, "split": "aa:100%"}
                """));
  }

  @Test
  void theNameOfALongHostIsShortened() {
    String one = "a".repeat(60) + ".example.com";
    String other = "a".repeat(61) + ".example.com";

    assertThat(DomainRouteName.of(one)).hasSize(63).isNotEqualTo(DomainRouteName.of(other));
    assertThat(DomainRouteName.of(HOST)).isEqualTo("domain." + HOST);
  }
}
