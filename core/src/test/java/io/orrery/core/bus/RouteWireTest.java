package io.orrery.core.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.RouteLayers;
import io.orrery.core.bus.contract.RouteReports;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.json.Json;
import io.orrery.core.route.RouteLayer;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Carries the records of the contracts of routes as another process would get them. */
class RouteWireTest {
  private static final String ENDPOINT = "127.0.0.1:9001";
  private static final Routes.EndpointTraffic ONE = new Routes.EndpointTraffic(ENDPOINT, 3);
  private static final Routes.VersionAnswers VERSION =
      new Routes.VersionAnswers("b", List.of(0L, 1L << 40), List.of(7L));
  private static final Routes.ServiceTraffic SERVICE =
      new Routes.ServiceTraffic("a", 1, 2, 1L << 40, List.of(VERSION));
  private static final Routes.AskTraffic ASKED =
      new Routes.AskTraffic(List.of(ENDPOINT), List.of("a", "test.b"), true);

  private static final RouteReports.BodyDifference BODY =
      new RouteReports.BodyDifference(
          1, "a", "b", List.of(new RouteReports.JsonDifference("/a", "1", null)));
  private static final RouteReports.ShadowDifference DIFFERENCE =
      new RouteReports.ShadowDifference(
          "body", Instant.EPOCH, "GET /", 200, 200, 1, 2, 3L, 4L, BODY);
  private static final RouteReports.ShadowReport REPORT =
      new RouteReports.ShadowReport(
          "a", "b", 1, 2, 3, 4, 5, 6.5, 7.5, 8.5, 9.5, List.of(DIFFERENCE));
  private static final RouteReports.Curve CURVE =
      new RouteReports.Curve("a", List.of(new RouteReports.Point(1, 2, 3, 4.5, 5.5)));

  private static final Routes.RateCount RATE =
      new Routes.RateCount("a", "192.0.2.1", false, 3, 2, 1_000_000_000);

  private static final List<Record> ALL =
      List.of(
          new Routes.Show(),
          new Routes.Replace("services: []", null),
          new Routes.Replace("services: []", "2f6b"),
          new Routes.Table(
              List.of(Json.parse("{\"name\":\"a\"}")),
              List.of(Json.parse("{\"service\":\"b\"}")),
              "2f6b"),
          new Routes.Check(RouteLayer.STUDIO, "services: []"),
          new Routes.Checked(true),
          ASKED,
          ONE,
          SERVICE,
          VERSION,
          new Routes.WaitingRequests(List.of("a")),
          RATE,
          new Routes.RateCounts("router-1", List.of(RATE)),
          new RouteReports.Question("q", List.of("a"), null),
          new RouteReports.Question("q", List.of(), "a"),
          new RouteReports.Told("q", List.of(REPORT), 10, List.of(CURVE)),
          new Routes.Traffic(2, 1, Long.MAX_VALUE, List.of(ONE), List.of(SERVICE)),
          new Routes.Count("q-1", ASKED),
          new Routes.Counted("q-1", 7, List.of(ONE), List.of(SERVICE)),
          new RouteReports.AskShadows(List.of("a")),
          new RouteReports.Shadows(List.of(REPORT)),
          REPORT,
          DIFFERENCE,
          new RouteReports.ShadowDifference(
              "status", Instant.EPOCH, "GET /", 200, 500, 1, 2, null, null, null),
          BODY,
          new RouteReports.JsonDifference("/a", "1", "2"),
          new RouteReports.JsonDifference("/b", null, null),
          new RouteReports.AskCurves("a"),
          new RouteReports.Curves(10, List.of(CURVE)),
          CURVE,
          new RouteReports.Point(1, 2, 3, 4.5, 5.5),
          new RouteLayers.Put(RouteLayer.STUDIO, "services: []", 7L),
          new RouteLayers.Put(RouteLayer.STUDIO, "services: []", null),
          new RouteLayers.Stored(8),
          new RouteLayers.Get(RouteLayer.STUDIO, null),
          new RouteLayers.Layer(8, "services: []"),
          new RouteLayers.Layer(8, null),
          new RouteLayers.Changed(RouteLayer.STUDIO, 8));

  @Test
  void everyRecordComesOutAsItWentIn() {
    assertThat(ALL)
        .allSatisfy(record -> assertThat(WireCodecTest.throughTheWire(record)).isEqualTo(record));
  }

  @Test
  void everyRecordOfTheContractsIsTried() {
    Set<Class<?>> tried =
        ALL.stream().map(Object::getClass).collect(Collectors.toUnmodifiableSet());

    assertThat(
            Stream.of(Routes.class, RouteLayers.class, RouteReports.class)
                .flatMap(contract -> Stream.of(contract.getDeclaredClasses()))
                .filter(Class::isRecord))
        .hasSizeGreaterThan(15)
        .allMatch(tried::contains);
  }

  private static boolean hasLeft(Routes.Traffic traffic, String endpoint) {
    return traffic.isInForce(7) && traffic.idle().contains(endpoint);
  }

  @Test
  void anEndpointHasLeftWhenEveryRouterHasTheLayerWithoutItAndNoRequest() {
    assertThat(hasLeft(traffic(2, 2, 7, 0), ENDPOINT)).isTrue();
    assertThat(hasLeft(traffic(0, 0, Long.MAX_VALUE, 0), ENDPOINT)).isTrue();

    assertThat(hasLeft(traffic(2, 1, 7, 0), ENDPOINT)).as("a router is silent").isFalse();
    assertThat(hasLeft(traffic(2, 2, 6, 0), ENDPOINT)).as("a router is behind").isFalse();
    assertThat(hasLeft(traffic(2, 2, 7, 1), ENDPOINT)).as("a request is under way").isFalse();
    assertThat(hasLeft(traffic(2, 2, 7, 0), "127.0.0.1:9002")).as("not asked for").isFalse();
  }

  private static Routes.Traffic traffic(int routers, int answered, long studio, int outstanding) {
    return new Routes.Traffic(
        routers,
        answered,
        studio,
        List.of(new Routes.EndpointTraffic(ENDPOINT, outstanding)),
        List.of());
  }
}
