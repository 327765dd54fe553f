package io.orrery.compute.aml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.batch.Jobs;
import io.orrery.compute.batch.Jobs.Job;
import io.orrery.compute.batch.StandIn;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An Azure for tests, as far as Azure Machine Learning needs it: the identity service, the metadata
 * service of a machine, and Resource Manager with one workspace. Its pages have two jobs each.
 */
public final class StandInAml extends StandIn {
  public static final String SECRET = "s~ecret";
  public static final String IDENTITY_HEADER = "header-of-this-container";
  public static final Map<String, String> APPLICATION =
      Map.of("AZURE_TENANT_ID", "tenant", "AZURE_CLIENT_ID", "app", "AZURE_CLIENT_SECRET", SECRET);

  private static final String WORKSPACE =
      "/subscriptions/sub/resourceGroups/group"
          + "/providers/Microsoft.MachineLearningServices/workspaces/space";
  private static final Pattern JOB = Pattern.compile("/jobs/([A-Za-z0-9][\\w-]{0,254})(/cancel)?");
  private static final int PAGE = 2;
  private static final String VERSION = "2024-04-01";

  private final Jobs jobs =
      new Jobs(
          machines,
          new Jobs.Words(
              "Queued", "Running", "CancelRequested", "Completed", "Failed", "Canceled"));
  private final Map<String, String> environments = new HashMap<>();
  private final Set<String> tokens = new HashSet<>();
  private int issued;

  /**
   * @param directory where its containers write
   */
  public StandInAml(Path directory) throws IOException {
    super(directory);
  }

  /** No token that it has given is good any more. */
  public synchronized void forgetTokens() {
    tokens.clear();
  }

  /** The properties of a job as it was submitted. */
  public JsonNode document(String name) {
    return Objects.requireNonNull(jobs.byName(name)).document;
  }

  @Override
  public Set<String> jobs() {
    return jobs.names();
  }

  @Override
  protected Reply answer(Call call) {
    if (call.path().equals("/tenant/oauth2/v2.0/token")) {
      return application(call);
    }
    if (call.path().equals("/metadata/identity/oauth2/token")) {
      return identity(call);
    }
    if (call.path().equals("/msi/token")) {
      return identityOfAContainer(call);
    }
    String bearer = call.header("authorization").replaceFirst("^Bearer ", "");
    if (!tokens.contains(bearer)) {
      return refuse(401, "InvalidAuthenticationToken", "The access token is invalid.");
    }
    if (!VERSION.equals(call.query().get("api-version"))) {
      return refuse(400, "InvalidApiVersionParameter", "The api-version is not supported.");
    }
    if (!call.path().startsWith(WORKSPACE)) {
      return refuse(404, "ResourceNotFound", "The workspace was not found.");
    }
    String path = call.path().substring(WORKSPACE.length());
    Matcher job = JOB.matcher(path);
    if (job.matches()) {
      return one(call, job.group(1), job.group(2) != null);
    }
    return switch (call.method() + " " + path) {
      case "GET " -> Reply.of(200, Map.of("name", "space"));
      case "GET /jobs" -> list(call);
      case "GET /computes/cluster" -> compute();
      default ->
          call.method().equals("PUT") && path.matches("/environments/[\\w-]+/versions/\\d+")
              ? environment(call, path)
              : refuse(404, "ResourceNotFound", path + " was not found.");
    };
  }

  private static Reply refuse(int status, String code, String message) {
    return Reply.of(status, Map.of("error", Map.of("code", code, "message", message)));
  }

  private Reply application(Call call) {
    Map<String, String> form = new HashMap<>();
    for (String pair : call.body().split("&")) {
      String[] parts = pair.split("=", 2);
      form.put(parts[0], Call.decoded(parts[1]));
    }
    Map<String, String> right =
        Map.of(
            "grant_type",
            "client_credentials",
            "client_id",
            "app",
            "client_secret",
            SECRET,
            "scope",
            url() + "/.default");
    boolean known =
        call.method().equals("POST")
            && call.header("content-type").equals("application/x-www-form-urlencoded")
            && form.equals(right);
    return known
        ? token(3_600)
        : Reply.of(
            401,
            Map.of(
                "error", "invalid_client", "error_description", "Invalid client secret provided."));
  }

  private Reply identity(Call call) {
    boolean known =
        call.header("metadata").equals("true")
            && "2018-02-01".equals(call.query().get("api-version"))
            && (url() + "/").equals(call.query().get("resource"));
    return known ? token("86399") : Reply.of(400, Map.of("error", "invalid_request"));
  }

  /** As App Service, Functions and Container Apps tell of theirs. */
  private Reply identityOfAContainer(Call call) {
    boolean known =
        call.header("x-identity-header").equals(IDENTITY_HEADER)
            && "2019-08-01".equals(call.query().get("api-version"))
            && "assigned".equals(call.query().get("client_id"))
            && (url() + "/").equals(call.query().get("resource"));
    return known ? token("86399") : Reply.of(400, Map.of("error", "invalid_request"));
  }

  private Reply token(Object seconds) {
    issued++;
    String token = "token-" + issued;
    tokens.add(token);
    return Reply.of(
        200, Map.of("token_type", "Bearer", "access_token", token, "expires_in", seconds));
  }

  private static Reply compute() {
    return Reply.of(
        200,
        Map.of(
            "properties",
            Map.of(
                "provisioningState",
                "Succeeded",
                "properties",
                Map.of("scaleSettings", Map.of("maxNodeCount", 4)))));
  }

  private Reply environment(Call call, String path) {
    ObjectNode body = call.json();
    JsonNode properties = body == null ? Json.MAPPER.nullNode() : body.path("properties");
    if (!properties.path("image").isTextual() || unknown(properties, "image", "osType") != null) {
      return refuse(400, "UserError", "The environment is invalid.");
    }
    String image = properties.path("image").asText();
    String before = environments.putIfAbsent(WORKSPACE + path, image);
    return before == null || before.equals(image)
        ? Reply.of(before == null ? 201 : 200, body)
        : refuse(409, "Conflict", "A version cannot be changed.");
  }

  private Reply list(Call call) {
    List<Job> tagged = new ArrayList<>();
    for (Job job : jobs.all()) {
      if (job.document.path("tags").has(call.query().getOrDefault("tag", "orrery"))) {
        tagged.add(job);
      }
    }
    int skip = Integer.parseInt(call.query().getOrDefault("$skip", "0"));
    ObjectNode answer = Json.MAPPER.createObjectNode();
    ArrayNode value = answer.putArray("value");
    tagged.reversed().stream().skip(skip).limit(PAGE).forEach(job -> value.add(resource(job)));
    if (tagged.size() > skip + PAGE) {
      answer.put(
          "nextLink",
          url() + WORKSPACE + "/jobs?api-version=" + VERSION + "&$skip=" + (skip + PAGE));
    }
    return Reply.of(200, answer);
  }

  private static ObjectNode resource(Job job) {
    ObjectNode resource = Json.MAPPER.createObjectNode().put("name", job.name);
    resource.putObject("properties").put("jobType", "Command").put("status", job.state);
    return resource;
  }

  private Reply one(Call call, String name, boolean cancel) {
    Job job = jobs.byName(name);
    if (call.method().equals("PUT") && !cancel) {
      return submit(call, name);
    }
    if (job == null) {
      return refuse(404, "UserError", "The job " + name + " was not found.");
    }
    if (call.method().equals("GET") && !cancel) {
      return Reply.of(200, resource(job));
    }
    if (call.method().equals("POST") && cancel) {
      if (job.over) {
        return refuse(409, "Conflict", "The job is in a final state.");
      }
      jobs.stop(job);
      return new Reply(202, Map.of(), "");
    }
    return refuse(405, "MethodNotAllowed", call.method());
  }

  private Reply submit(Call call, String name) {
    ObjectNode body = call.json();
    String wrong = body == null ? "The body is no JSON." : fault(body.path("properties"));
    if (wrong != null) {
      return refuse(400, "UserError", wrong);
    }
    Job present = jobs.byName(name);
    if (present != null) {
      return Reply.of(200, resource(present));
    }
    ObjectNode properties = (ObjectNode) body.path("properties");
    Map<String, String> variables = new HashMap<>();
    properties
        .path("environmentVariables")
        .properties()
        .forEach(each -> variables.put(each.getKey(), each.getValue().asText()));
    Job job =
        jobs.run(
            name,
            name,
            properties,
            List.of("bash", "-c", properties.path("command").asText()),
            variables);
    return Reply.of(201, resource(job));
  }

  private @Nullable String fault(JsonNode job) {
    String unknown =
        unknown(
            job,
            "jobType",
            "displayName",
            "experimentName",
            "command",
            "environmentId",
            "computeId",
            "resources",
            "tags",
            "environmentVariables");
    if (unknown != null) {
      return unknown + " is no property of a command job.";
    }
    if (!job.path("jobType").asText().equals("Command") || !job.path("command").isTextual()) {
      return "A command job needs a command.";
    }
    if (!environments.containsKey(job.path("environmentId").asText())) {
      return "There is no environment " + job.path("environmentId").asText();
    }
    return job.path("computeId").asText().equals(WORKSPACE + "/computes/cluster")
        ? null
        : "There is no compute " + job.path("computeId").asText();
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
