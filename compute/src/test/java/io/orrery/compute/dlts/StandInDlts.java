package io.orrery.compute.dlts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.batch.Jobs;
import io.orrery.compute.batch.Jobs.Job;
import io.orrery.compute.batch.Nameless;
import io.orrery.compute.batch.StandIn;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A DLTS dashboard for tests: the calls that its API has for a user's program, and no others. */
public final class StandInDlts extends StandIn implements Nameless {
  public static final String TEAM = "vision";
  public static final String CLUSTER = "azure-eu";
  public static final String EMAIL = "ada@example.org";
  public static final String PASSWORD = "0123 secret";

  /** A job that runs already, and of which ports can be opened: those of this machine. */
  public static final String SERVER = "job-server";

  /** What its nodes are called. */
  public static final String NODE = "localhost";

  private static final String ENDPOINTS =
      "/api/clusters/" + CLUSTER + "/jobs/" + SERVER + "/endpoints";
  private static final Pattern JOB =
      Pattern.compile("/api(/v2)?/clusters/" + CLUSTER + "/jobs/([^/]+)(/status)?");
  private static final String[] FIELDS = {
    "team", "vcName", "userName", "gpuType", "jobName", "jobType", "jobtrainingtype",
    "resourcegpu", "image", "cmd", "interactivePorts", "enableworkpath", "enablejobpath", "env",
    "preemptionAllowed"
  };

  private final Jobs jobs =
      new Jobs(
          machines, new Jobs.Words("queued", "running", "killing", "finished", "failed", "killed"));
  private final Map<Integer, Boolean> opened = new ConcurrentHashMap<>();
  private int count;

  /**
   * @param directory where its containers write
   */
  public StandInDlts(Path directory) throws IOException {
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
  protected Reply answer(Call call) {
    Map<String, String> query = call.query();
    if (!query.containsKey("email") || !query.containsKey("password")) {
      return refuse(403, "Forbidden");
    }
    if (!query.get("email").equals(EMAIL) || !query.get("password").equals(PASSWORD)) {
      return refuse(403, "Invalid password " + query.get("password"));
    }
    Matcher job = JOB.matcher(call.path());
    if (job.matches()) {
      return one(call, job.group(1) != null, Call.decoded(job.group(2)), job.group(3) != null);
    }
    return switch (call.method() + " " + call.path()) {
      case "GET /api/teams/vision/clusters/azure-eu" ->
          Reply.of(200, Map.of("metadata", "{\"P40\": {\"num_gpu_per_node\": 4}}"));
      case "POST /api/clusters/azure-eu/jobs" -> submit(call);
      case "GET " + ENDPOINTS -> endpoints();
      case "POST " + ENDPOINTS -> open(call);
      case "GET /api/v2/clusters/azure-eu/teams/vision/jobs" -> list(call);
      default -> refuse(404, "Not Found");
    };
  }

  /** A port that was asked for is open at the second look. */
  private Reply endpoints() {
    ArrayNode list = Json.MAPPER.createArrayNode();
    opened.forEach((port, looked) -> {
      ObjectNode endpoint = list.addObject().put("podPort", port).put("name", "orrery");
      endpoint.put("status", looked ? "running" : "pending");
      if (looked) {
        endpoint.put("nodeName", NODE).put("port", port);
      }
    });
    opened.replaceAll((port, looked) -> true);
    return Reply.of(200, list);
  }

  private Reply open(Call call) {
    ObjectNode body = call.json();
    JsonNode one = body == null ? null : body.path("endpoints").path(0);
    if (one == null || body.size() != 1 || one.size() != 2 || one.path("name").asText().isEmpty()) {
      return refuse(400, "Invalid endpoints");
    }
    int port = one.path("podPort").asInt();
    if (port < 1 || port > 65_535 || opened.putIfAbsent(port, false) != null) {
      return refuse(400, "Invalid port");
    }
    return Reply.of(200, Map.of());
  }

  private static Reply refuse(int status, String message) {
    return new Reply(status, Map.of("Content-Type", "text/plain"), message);
  }

  private Reply list(Call call) {
    int limit = Integer.parseInt(call.query().getOrDefault("limit", "10"));
    List<Job> newest = new ArrayList<>(jobs.all());
    ArrayNode list = Json.MAPPER.createArrayNode();
    newest.reversed().stream().limit(limit).forEach(job -> list.add(detail(job)));
    return Reply.of(200, list);
  }

  private static ObjectNode detail(Job job) {
    return Json.MAPPER
        .createObjectNode()
        .put("jobId", job.id)
        .put("jobName", job.name)
        .put("jobStatus", job.state);
  }

  private Reply one(Call call, boolean second, String id, boolean status) {
    Job job = jobs.byId(id);
    if (job == null) {
      return refuse(404, "Job is not found");
    }
    if (second && !status && call.method().equals("GET")) {
      return Reply.of(200, detail(job));
    }
    if (!second && status && call.method().equals("PUT")) {
      ObjectNode body = call.json();
      boolean killing =
          body != null && body.size() == 1 && body.path("status").asText().equals("killing");
      if (!killing) {
        return refuse(400, "Invalid status");
      }
      jobs.stop(job);
      return Reply.of(200, Map.of("message", "Success"));
    }
    return refuse(405, "Method Not Allowed");
  }

  private Reply submit(Call call) {
    ObjectNode body = call.json();
    String wrong = body == null ? "the body is no JSON" : fault(body);
    if (wrong != null) {
      return Reply.of(200, Map.of("error", wrong));
    }
    count++;
    Job job =
        jobs.run(
            "job-" + count,
            body.path("jobName").asText(),
            body,
            List.of("bash", "-c", body.path("cmd").asText()),
            Map.of());
    return Reply.of(200, Map.of("jobId", job.id));
  }

  private static @Nullable String fault(ObjectNode job) {
    String unknown = unknown(job, FIELDS);
    if (unknown != null) {
      return unknown + " is no field of a job";
    }
    for (String field : FIELDS) {
      if (!job.has(field)) {
        return field + " is missing";
      }
    }
    if (!job.path("vcName").asText().equals(TEAM) || !job.path("userName").asText().equals(EMAIL)) {
      return "the team or the user is another";
    }
    if (!job.path("resourcegpu").isInt() || !job.path("gpuType").asText().equals("P40")) {
      return "there are no such GPUs";
    }
    return job.path("jobType").asText().equals("training")
            && job.path("jobtrainingtype").asText().equals("RegularJob")
        ? null
        : "there is no such type of job";
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
