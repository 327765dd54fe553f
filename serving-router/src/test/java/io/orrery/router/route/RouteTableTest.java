package io.orrery.router.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteTableTest {
  private static final RouteTable TABLE =
      RouteReader.read(
          """
          services:
            - {name: resnet, hosts: [models.example.com]}
            - {name: resnet, stage: test}
            - {name: resnet, stage: debug}
            - {name: gold, hosts: [models.example.com], match: [{path: /v2/, header: {X-Tier: gold}}]}
            - {name: beta, hosts: [models.example.com], match: [{cookie: {beta: "yes"}}, {path: /beta/}]}
            - {name: late, hosts: [models.example.com]}
            - {name: wild, hosts: ["*.wild.example.com"]}
            - {name: only, hosts: [only.example.com], match: [{path: /in}]}
          """,
          "example.com");

  @ParameterizedTest
  @CsvSource({
    "models.example.com, resnet",
    "MODELS.Example.COM, resnet",
    "models.example.com:8000, resnet",
    "models.example.com., resnet",
    "resnet.service.example.com, resnet",
    "test.resnet.service.example.com, test.resnet",
    "debug.resnet.service.example.com:80, debug.resnet",
    "late.service.example.com, late",
    "a.wild.example.com, wild",
    "b.a.wild.example.com, wild",
    "only.service.example.com, -",
    "wild.example.com, -",
    "example.com, -",
    "other.org, -",
    "'', -",
    "'[::1]:80', -"
  })
  void aHostLeadsToItsService(String host, String id) {
    assertThat(find(host, "/", Map.of(), Map.of())).isEqualTo(id.equals("-") ? null : id);
  }

  @Test
  void onASharedHostTheFirstMatchThatFitsDecidesAndElseTheFirstWithoutOne() {
    assertThat(find("models.example.com", "/v2/x", Map.of("x-tier", "gold"), Map.of()))
        .isEqualTo("gold");
    assertThat(find("models.example.com", "/v1/x", Map.of("x-tier", "gold"), Map.of()))
        .isEqualTo("resnet");
    assertThat(find("models.example.com", "/v2/x", Map.of("x-tier", "tin"), Map.of()))
        .isEqualTo("resnet");
    assertThat(find("models.example.com", "/", Map.of(), Map.of("beta", "yes"))).isEqualTo("beta");
    assertThat(find("models.example.com", "/beta/1", Map.of(), Map.of())).isEqualTo("beta");
  }

  @Test
  void aHostWhoseOnlyServiceDoesNotTakeTheRequestHasNoRoute() {
    assertThat(find("only.example.com", "/out", Map.of(), Map.of())).isNull();
    assertThat(find("only.example.com", "/inside", Map.of(), Map.of())).isEqualTo("only");
  }

  @Test
  void aHostBelongsToOneServiceWhenNothingElseDecides() {
    assertThat(TABLE.sole("late.service.example.com")).extracting(Service::id).isEqualTo("late");
    assertThat(TABLE.sole("A.wild.example.com:80")).extracting(Service::id).isEqualTo("wild");
    assertThat(TABLE.sole("models.example.com")).as("shared").isNull();
    assertThat(TABLE.sole("only.example.com")).as("a part of it").isNull();
    assertThat(TABLE.sole("other.org")).as("unknown").isNull();
  }

  private static @Nullable String find(
      String host, String path, Map<String, String> headers, Map<String, String> cookies) {
    Service service = TABLE.find(host, new FakeRequest(path, headers, cookies));
    return service == null ? null : service.id();
  }

  private record FakeRequest(String path, Map<String, String> headers, Map<String, String> cookies)
      implements RequestFacts {
    @Override
    public @Nullable String header(String name) {
      return headers.get(name);
    }

    @Override
    public @Nullable String cookie(String name) {
      return cookies.get(name);
    }

    @Override
    public ClientAddress client() {
      return ClientAddress.of("10.0.0.1");
    }
  }
}
