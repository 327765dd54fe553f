package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.Topic;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests for what routers have seen of services: the answers of their shadows, and curves of
 * the last hour. Each router process tells what it has seen, and the orchestrator answers with the
 * sum.
 */
public final class RouteReports {
  public static final Address<AskShadows, Shadows> SHADOWS =
      new Address<>("routes.shadows", AskShadows.class, Shadows.class);

  public static final Address<AskCurves, Curves> CURVES =
      new Address<>("routes.curves", AskCurves.class, Curves.class);

  /** A question to every router process, which is answered by {@link #TOLD}. */
  public static final Topic<Question> QUESTION = new Topic<>("routes.question", Question.class);

  public static final Topic<Told> TOLD = new Topic<>("routes.told", Told.class);

  private RouteReports() {}

  /**
   * A question to every router process.
   *
   * @param id that the answers name
   * @param shadowsOf the services whose shadows are asked for
   * @param curvesOf the service whose curves are asked for; null for none
   */
  public record Question(String id, List<String> shadowsOf, @Nullable String curvesOf) {
    public Question {
      shadowsOf = List.copyOf(shadowsOf);
    }
  }

  /** The answer of one router process. */
  public record Told(String id, List<ShadowReport> shadows, int stepSeconds, List<Curve> curves) {
    public Told {
      shadows = List.copyOf(shadows);
      curves = List.copyOf(curves);
    }
  }

  /**
   * A question about the shadows of services.
   *
   * @param services ids, as the route table has them
   */
  public record AskShadows(List<String> services) {
    public AskShadows {
      services = List.copyOf(services);
    }
  }

  public record Shadows(List<ShadowReport> items) {
    public Shadows {
      items = List.copyOf(items);
    }
  }

  /**
   * The copies for one shadow of a service since the router started, and the last answers that
   * differ.
   *
   * @param otherStatus answers with another status than the client got
   * @param otherBody those with the same status and another body, where bodies are compared
   * @param p50Millis of the answers that clients got
   * @param shadowP50Millis of the answers of the shadow
   * @param differences the newest first
   */
  public record ShadowReport(
      String service,
      String shadow,
      long sent,
      long dropped,
      long failed,
      long otherStatus,
      long otherBody,
      double p50Millis,
      double p99Millis,
      double shadowP50Millis,
      double shadowP99Millis,
      List<ShadowDifference> differences) {
    public ShadowReport {
      differences = List.copyOf(differences);
    }
  }

  /**
   * An answer that the client got, beside another that its shadow gave.
   *
   * @param kind {@code status}, {@code body} or {@code time}
   * @param request its method and path
   * @param bytes of the body; null when bodies are not compared
   * @param body where they differ; null when that is not known
   */
  public record ShadowDifference(
      String kind,
      Instant at,
      String request,
      int status,
      int shadowStatus,
      long micros,
      long shadowMicros,
      @Nullable Long bytes,
      @Nullable Long shadowBytes,
      @Nullable BodyDifference body) {}

  /**
   * The place where two bodies differ.
   *
   * @param at the first byte, from 0
   * @param text around it
   * @param shadowText the same bytes of the shadow's body
   * @param places the first ones that differ, when both bodies are JSON
   */
  public record BodyDifference(
      long at, String text, String shadowText, List<JsonDifference> places) {
    public BodyDifference {
      places = List.copyOf(places);
    }
  }

  /**
   * A place of JSON.
   *
   * @param value null when the client's answer has none there
   * @param shadowValue null when the shadow's answer has none there
   */
  public record JsonDifference(
      String pointer, @Nullable String value, @Nullable String shadowValue) {}

  /**
   * A question about the answers to the requests of a service.
   *
   * @param service its id, as the route table has it
   */
  public record AskCurves(String service) {}

  /**
   * The requests of a service in the last hour, by who answered.
   *
   * @param stepSeconds the length of a step; steps without a request have no point
   */
  public record Curves(int stepSeconds, List<Curve> items) {
    public Curves {
      items = List.copyOf(items);
    }
  }

  /**
   * The answers that one gave.
   *
   * @param points the oldest first
   */
  public record Curve(String version, List<Point> points) {
    public Curve {
      points = List.copyOf(points);
    }
  }

  /**
   * The answers within one step.
   *
   * @param at the end of the step, in milliseconds since the epoch
   * @param errors answers 5xx
   */
  public record Point(long at, long requests, long errors, double p50Millis, double p99Millis) {}
}
