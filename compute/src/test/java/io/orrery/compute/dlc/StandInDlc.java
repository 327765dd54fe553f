package io.orrery.compute.dlc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.batch.Jobs;
import io.orrery.compute.batch.Jobs.Job;
import io.orrery.compute.batch.Nameless;
import io.orrery.compute.batch.StandIn;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A PAI-DLC for tests: it verifies each signature by itself, takes no nonce twice and no date that
 * is far off, and knows the calls that trials need.
 */
public final class StandInDlc extends StandIn implements Nameless {
  public static final String KEY = "LTAI5tStandIn";
  public static final String SECRET = "stand in secret";
  public static final String WORKSPACE = "268";
  private static final Pattern JOB = Pattern.compile("/api/v1/jobs/(dlc-[^/]+)(/stop)?");
  private static final Pattern AUTHORIZATION =
      Pattern.compile(
          "ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})");
  private static final Map<String, String> ACTIONS =
      Map.of(
          "POST /api/v1/jobs", "CreateJob",
          "GET /api/v1/jobs", "ListJobs",
          "GET /api/v1/jobs/*", "GetJob",
          "POST /api/v1/jobs/*/stop", "StopJob");
  private static final Set<String> FILTERS =
      Set.of("WorkspaceId", "DisplayName", "PageNumber", "PageSize", "SortBy", "Order");

  private final Jobs jobs =
      new Jobs(
          machines,
          new Jobs.Words("Queuing", "Running", "Stopping", "Succeeded", "Failed", "Stopped"));
  private final Set<String> nonces = new HashSet<>();
  private int count;

  /**
   * @param directory where its containers write
   */
  public StandInDlc(Path directory) throws IOException {
    super(directory);
  }

  /** A job as it was submitted. */
  public JsonNode document(String name) {
    return Objects.requireNonNull(jobs.byName(name)).document;
  }

  @Override
  public List<String> states(String name) {
    return jobs.states(name);
  }

  @Override
  public void full(boolean is) {
    jobs.full(is);
  }

  @Override
  public Set<String> jobs() {
    return jobs.names();
  }

  @Override
  protected Reply crowded() {
    return refuse(400, "Throttling.User", "Request was denied due to user flow control.");
  }

  private static Reply refuse(int status, String code, String message) {
    return Reply.of(status, Map.of("RequestId", "r", "Code", code, "Message", message));
  }

  @Override
  protected Reply answer(Call call) {
    Reply wrong = unsigned(call);
    if (wrong != null) {
      return wrong;
    }
    Matcher job = JOB.matcher(call.path());
    if (job.matches()) {
      return one(call, job.group(1), job.group(2) != null);
    }
    return switch (call.method() + " " + call.path()) {
      case "POST /api/v1/jobs" -> submit(call);
      case "GET /api/v1/jobs" -> list(call);
      default -> refuse(404, "InvalidAction.NotFound", "The API is not found.");
    };
  }

  // ---- signatures ----------------------------------------------------------------------------

  private @Nullable Reply unsigned(Call call) {
    Matcher given = AUTHORIZATION.matcher(call.header("authorization"));
    if (!given.matches() || !given.group(1).equals(KEY)) {
      return refuse(404, "InvalidAccessKeyId.NotFound", "Specified access key is not found.");
    }
    String kind = call.method() + " " + JOB.matcher(call.path()).replaceFirst("/api/v1/jobs/*$2");
    boolean named =
        call.header("x-acs-version").equals("2020-12-03")
            && call.header("x-acs-action").equals(ACTIONS.get(kind));
    if (!named) {
      return refuse(400, "InvalidAction", "x-acs-action or x-acs-version is wrong.");
    }
    Duration off = Duration.between(Instant.parse(call.header("x-acs-date")), Instant.now()).abs();
    if (off.compareTo(Duration.ofMinutes(15)) > 0) {
      return refuse(400, "InvalidTimeStamp.Expired", "The time stamp is expired.");
    }
    if (!nonces.add(call.header("x-acs-signature-nonce"))) {
      return refuse(400, "SignatureNonceUsed", "The nonce was used already.");
    }
    boolean whole =
        call.header("x-acs-content-sha256").equals(hex(digest(call.body())))
            && given.group(3).equals(signature(call, given.group(2)));
    return whole
        ? null
        : refuse(400, "SignatureDoesNotMatch", "The signature does not conform to standards.");
  }

  private static String signature(Call call, String names) {
    StringBuilder text = new StringBuilder();
    text.append(call.method()).append('\n').append(call.path()).append('\n');
    Map<String, String> query = new TreeMap<>();
    for (String pair : call.rawQuery().isEmpty() ? new String[0] : call.rawQuery().split("&")) {
      query.put(pair, pair);
    }
    text.append(String.join("&", query.keySet())).append('\n');
    for (String name : names.split(";")) {
      text.append(name).append(':').append(call.header(name).strip()).append('\n');
    }
    text.append('\n').append(names).append('\n').append(call.header("x-acs-content-sha256"));
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      String signed = "ACS3-HMAC-SHA256\n" + hex(digest(text.toString()));
      return hex(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  // ---- jobs ----------------------------------------------------------------------------------

  private Reply list(Call call) {
    for (String filter : call.query().keySet()) {
      if (!FILTERS.contains(filter)) {
        return refuse(400, "InvalidParameter", "There is no parameter " + filter);
      }
    }
    if (!WORKSPACE.equals(call.query().get("WorkspaceId"))) {
      return refuse(404, "WorkspaceNotFound", "The workspace is not found.");
    }
    String part = call.query().getOrDefault("DisplayName", "").toLowerCase(Locale.ROOT);
    List<Job> found =
        jobs.all().stream()
            .filter(job -> job.name.toLowerCase(Locale.ROOT).contains(part))
            .toList();
    int size = Integer.parseInt(call.query().getOrDefault("PageSize", "10"));
    int page = Integer.parseInt(call.query().getOrDefault("PageNumber", "1"));
    ArrayNode list = Json.MAPPER.createArrayNode();
    found.reversed().stream()
        .skip((page - 1L) * size)
        .limit(size)
        .forEach(job -> list.add(detail(job)));
    return Reply.of(200, Map.of("Jobs", list, "TotalCount", found.size(), "RequestId", "r"));
  }

  private static ObjectNode detail(Job job) {
    return Json.MAPPER
        .createObjectNode()
        .put("JobId", job.id)
        .put("DisplayName", job.name)
        .put("Status", job.state);
  }

  private Reply one(Call call, String id, boolean stop) {
    Job job = jobs.byId(id);
    if (job == null) {
      return refuse(404, "JobNotFound", "The job is not found.");
    }
    if (!stop) {
      return Reply.of(200, detail(job));
    }
    if (job.over) {
      return refuse(409, "JobFinished", "The job is over.");
    }
    jobs.stop(job);
    return Reply.of(200, Map.of("JobId", id, "RequestId", "r"));
  }

  private Reply submit(Call call) {
    if (call.body().length() > 65_536) {
      return refuse(400, "InvalidParameter", "The parameters are too long.");
    }
    ObjectNode body = call.json();
    String wrong = body == null ? "The body is no JSON." : fault(body);
    if (wrong != null) {
      return refuse(400, "InvalidParameter", wrong);
    }
    count++;
    Map<String, String> variables = new HashMap<>();
    body.path("Envs")
        .properties()
        .forEach(each -> variables.put(each.getKey(), each.getValue().asText()));
    Job job =
        jobs.run(
            "dlc-" + count,
            body.path("DisplayName").asText(),
            body,
            List.of("bash", "-c", body.path("UserCommand").asText()),
            variables);
    return Reply.of(200, Map.of("JobId", job.id, "RequestId", "r"));
  }

  private static @Nullable String fault(ObjectNode job) {
    String unknown =
        unknown(
            job,
            "DisplayName",
            "JobType",
            "JobSpecs",
            "UserCommand",
            "WorkspaceId",
            "Envs",
            "DataSources");
    if (unknown != null) {
      return unknown + " is no parameter of CreateJob.";
    }
    if (!job.path("DisplayName").asText().matches("[\\w.-]{1,256}")) {
      return "DisplayName is invalid.";
    }
    if (!List.of("TFJob", "PyTorchJob").contains(job.path("JobType").asText())) {
      return "JobType is invalid.";
    }
    if (!job.path("WorkspaceId").asText().equals(WORKSPACE)) {
      return "WorkspaceId is invalid.";
    }
    if (!job.path("UserCommand").isTextual() || job.path("JobSpecs").isEmpty()) {
      return "UserCommand and JobSpecs are required.";
    }
    for (JsonNode spec : job.path("JobSpecs")) {
      boolean good =
          unknown(spec, "Type", "Image", "PodCount", "EcsSpec") == null
              && spec.path("Type").isTextual()
              && spec.path("Image").isTextual()
              && spec.path("PodCount").isInt()
              && spec.path("EcsSpec").isTextual();
      if (!good) {
        return "JobSpecs is invalid.";
      }
    }
    for (JsonNode source : job.path("DataSources")) {
      if (!source.path("DataSourceId").asText().startsWith("data-")) {
        return "DataSourceId is invalid.";
      }
    }
    return null;
  }

  @Override
  public boolean runs(String name) {
    return machines.runs(name);
  }

  @Override
  public void lose(String name) {
    jobs.lose(name);
  }

  @Override
  public void stop(String name) {
    jobs.stop(name);
  }

  @Override
  public void delete(String name) {
    jobs.delete(name);
  }
}
