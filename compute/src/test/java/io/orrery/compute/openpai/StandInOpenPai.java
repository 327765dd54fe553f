package io.orrery.compute.openpai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.batch.StandIn;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An OpenPAI for tests: its REST API of version 2 as far as it is documented, with the checks of
 * its job protocol, its templates, its completion policy, and a virtual cluster with so many GPUs.
 */
public final class StandInOpenPai extends StandIn {
  public static final String USER = "ada";
  public static final String TOKEN = "eyJhbGciOiJIUzI1NiJ9.stand-in.signature";
  public static final String PASSWORD = "correct horse";
  private static final String API = "/rest-server/api/v2";
  private static final Pattern JOB =
      Pattern.compile(API + "/jobs/([^/~]+)~([^/]+)(/executionType)?");
  private static final Pattern PLACE = Pattern.compile("<%\\s*\\$(\\w+)\\.(\\w+)\\s*%>");
  private static final Pattern SECRETS =
      Pattern.compile("(^secrets:)[\\s\\S]*?(^\\w)", Pattern.MULTILINE);
  private static final Set<String> FILTERS =
      Set.of("username", "keyword", "state", "vc", "offset", "limit", "order", "withTotalCount");

  private final Path mounts;
  private final Map<String, Job> jobs = new LinkedHashMap<>();
  private int gpus = 4;
  private int usedGpus;
  private String token = TOKEN;

  private static final class Job {
    final String name;
    final ObjectNode document;
    final String shown;
    final int gpus;
    String state = "WAITING";
    @Nullable Integer exitCode;
    String phrase = "";
    String type = "";
    int left;
    boolean failed;
    boolean over;
    final long created = System.currentTimeMillis();

    Job(String name, ObjectNode document, String shown, int gpus) {
      this.name = name;
      this.document = document;
      this.shown = shown;
      this.gpus = gpus;
    }
  }

  /**
   * @param directory where its containers write; its storage {@code confignfs-data} is {@code nfs}
   *     below it
   */
  public StandInOpenPai(Path directory) throws IOException {
    super(directory);
    this.mounts = directory.resolve("nfs");
  }

  /** The directory that containers see as {@code /mnt/confignfs-data}. */
  public Path storage() {
    return mounts;
  }

  /** The token that was good is good no more, and this one is. */
  public synchronized void renew(String next) {
    token = next;
  }

  /** How many GPUs its virtual cluster {@code default} has. */
  public synchronized void gpus(int count) {
    gpus = count;
    schedule();
  }

  /** The document of a job as it was submitted. */
  public synchronized ObjectNode document(String name) {
    return jobs.get(name).document;
  }

  /** The document of a job as OpenPAI keeps it, and shows it to all of its users. */
  public synchronized String shown(String name) {
    return jobs.get(name).shown;
  }

  static String masked(String yaml) {
    String masked = SECRETS.matcher(yaml + "\nZ").replaceFirst("$1 \"******\"\n$2");
    return masked.substring(0, masked.length() - 2);
  }

  @Override
  public synchronized Set<String> jobs() {
    return Set.copyOf(jobs.keySet());
  }

  @Override
  protected Reply answer(Call call) {
    if (call.path().equals("/rest-server/api/v1/token")) {
      return login(call);
    }
    if (!call.header("authorization").equals("Bearer " + token)) {
      return refuse(401, "UnauthorizedUserError", "Guest is not allowed to do this operation.");
    }
    Matcher job = JOB.matcher(call.path());
    if (job.matches()) {
      return one(
          call, Call.decoded(job.group(1)), Call.decoded(job.group(2)), job.group(3) != null);
    }
    return switch (call.method() + " " + call.path()) {
      case "POST " + API + "/jobs" -> submit(call);
      case "GET " + API + "/jobs" -> list(call);
      case "GET " + API + "/info" -> Reply.of(200, Map.of("version", "v1.8.0"));
      case "GET " + API + "/users/" + USER -> Reply.of(200, Map.of("username", USER));
      case "GET " + API + "/virtual-clusters/default" -> cluster();
      case "GET " + API + "/storages/confignfs-data" ->
          Reply.of(200, Map.of("name", "confignfs-data", "type", "nfs"));
      default ->
          call.path().startsWith(API + "/virtual-clusters/")
              ? refuse(404, "NoVirtualClusterError", "Vc is not found.")
              : call.path().startsWith(API + "/storages/")
                  ? refuse(404, "NoStorageError", "Storage is not found.")
                  : refuse(404, "NoApiError", call.path() + " is not found.");
    };
  }

  private Reply login(Call call) {
    ObjectNode body = call.json();
    if (body == null || unknown(body, "username", "password", "expiration") != null) {
      return refuse(400, "InvalidParametersError", "Could not parse the body.");
    }
    boolean known =
        body.path("username").asText().equals(USER)
            && body.path("password").asText().equals(PASSWORD);
    return known
        ? Reply.of(200, Map.of("user", USER, "token", token, "admin", false))
        : refuse(400, "IncorrectPasswordError", "Password is incorrect.");
  }

  private Reply cluster() {
    return Reply.of(
        200,
        Map.of(
            "resourcesTotal", Map.of("gpu", gpus, "cpu", 64, "memory", 1 << 20),
            "resourcesUsed", Map.of("gpu", usedGpus, "cpu", 0, "memory", 0)));
  }

  private static Reply refuse(int status, String code, String message) {
    return Reply.of(status, Map.of("code", code, "message", message));
  }

  // ---- jobs ----------------------------------------------------------------------------------

  private Reply list(Call call) {
    for (String filter : call.query().keySet()) {
      if (!FILTERS.contains(filter)) {
        return refuse(400, "InvalidParametersError", "There is no filter " + filter + ".");
      }
    }
    if (Integer.parseInt(call.query().getOrDefault("limit", "5000")) > 50_000) {
      return refuse(400, "InvalidParametersError", "Limit exceeds max number 50000.");
    }
    List<String> states = List.of(call.query().getOrDefault("state", "").split(","));
    ArrayNode list = Json.MAPPER.createArrayNode();
    for (Job job : jobs.values()) {
      boolean asked =
          job.name.contains(call.query().getOrDefault("keyword", ""))
              && call.query().getOrDefault("username", USER).equals(USER)
              && (!call.query().containsKey("state") || states.contains(job.state));
      if (asked) {
        list.addObject()
            .put("name", job.name)
            .put("username", USER)
            .put("state", job.state)
            .put("createdTime", job.created)
            .put("appExitCode", job.exitCode);
      }
    }
    ArrayNode page = Json.MAPPER.createArrayNode();
    int offset = Integer.parseInt(call.query().getOrDefault("offset", "0"));
    int limit = Integer.parseInt(call.query().getOrDefault("limit", "5000"));
    for (int i = offset; i < Math.min(list.size(), offset + limit); i++) {
      page.add(list.get(i));
    }
    return Reply.of(200, page);
  }

  private Reply one(Call call, String user, String name, boolean executionType) {
    Job job = user.equals(USER) ? jobs.get(name) : null;
    if (job == null) {
      return refuse(404, "NoJobError", "Job " + user + "~" + name + " is not found.");
    }
    if (!executionType && call.method().equals("GET")) {
      ObjectNode status = Json.MAPPER.createObjectNode();
      status.put("username", user).put("state", job.state).put("appExitCode", job.exitCode);
      status.put("appLaunchedTime", job.created);
      status.putObject("appExitSpec").put("phrase", job.phrase).put("type", job.type);
      status.put("appExitDiagnostics", job.phrase);
      return Reply.of(200, Map.of("name", name, "jobStatus", status));
    }
    if (executionType && call.method().equals("PUT")) {
      ObjectNode body = call.json();
      boolean known =
          body != null
              && call.header("content-type").equals("application/json")
              && body.size() == 1
              && List.of("START", "STOP").contains(body.path("value").asText());
      if (!known) {
        return refuse(400, "InvalidParametersError", "Could not parse the body.");
      }
      if (!job.over) {
        job.state = "STOPPING";
        Thread.ofVirtual().start(() -> ended(job, "STOPPED", -210, "StoppedByUser", "USER_STOP"));
      }
      return Reply.of(202, Map.of("message", "Execute job " + name + " successfully."));
    }
    return refuse(405, "NoMethodError", call.method());
  }

  private Reply submit(Call call) {
    if (!call.header("content-type").equals("text/yaml")) {
      return refuse(400, "InvalidProtocolError", "The body must be text/yaml.");
    }
    JsonNode document;
    try {
      document = Document.read(call.body()).root();
    } catch (ProblemException e) {
      return refuse(400, "InvalidProtocolError", e.problem().detail());
    }
    String wrong = Protocol.fault(document);
    if (wrong != null) {
      return refuse(400, "InvalidProtocolError", wrong);
    }
    String cluster = document.at("/defaults/virtualCluster").asText("default");
    if (!cluster.equals("default")) {
      return refuse(400, "NoVirtualClusterError", "Virtual cluster " + cluster + " is not found.");
    }
    for (JsonNode storage : document.at("/extras/storages")) {
      if (!storage.path("name").asText().equals("confignfs-data")) {
        return refuse(400, "NoStorageError", "Storage " + storage.path("name") + " is not found.");
      }
    }
    String name = document.path("name").asText();
    if (jobs.containsKey(name)) {
      return refuse(409, "ConflictJobError", "Job " + USER + "~" + name + " already exists.");
    }
    int needed = 0;
    for (JsonNode role : document.path("taskRoles")) {
      needed +=
          role.path("instances").asInt(1) * role.path("resourcePerInstance").path("gpu").asInt();
    }
    jobs.put(name, new Job(name, (ObjectNode) document, masked(call.body()), needed));
    schedule();
    return Reply.of(202, Map.of("message", "Update job " + name + " successfully."));
  }

  // ---- what becomes of them ------------------------------------------------------------------

  private void schedule() {
    for (Job job : jobs.values()) {
      if (job.state.equals("WAITING") && usedGpus + job.gpus <= gpus) {
        usedGpus += job.gpus;
        job.state = "RUNNING";
        run(job);
      }
    }
  }

  private void run(Job job) {
    List<Runnable> starts = new ArrayList<>();
    job.document
        .path("taskRoles")
        .properties()
        .forEach(role -> {
          List<String> commands = new ArrayList<>();
          role.getValue().path("commands").forEach(line -> commands.add(line.asText().strip()));
          String script =
              filled(String.join(" && ", commands), job.document)
                  .replace("/mnt/confignfs-data", mounts.toString());
          int policy = role.getValue().at("/completion/minFailedInstances").asInt(1);
          for (int i = 0; i < role.getValue().path("instances").asInt(1); i++) {
            job.left++;
            Map<String, String> variables =
                Map.of(
                    "PAI_CURRENT_TASK_ROLE_NAME",
                    role.getKey(),
                    "PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX",
                    Integer.toString(i));
            starts.add(() ->
                machines.start(
                    job.name,
                    List.of("bash", "-c", script),
                    variables,
                    code -> exited(job, policy, code)));
          }
        });
    starts.forEach(Runnable::run);
  }

  private static String filled(String text, JsonNode document) {
    Matcher place = PLACE.matcher(text);
    return place
        .replaceAll(found ->
            Matcher.quoteReplacement(document.path(found.group(1)).path(found.group(2)).asText()))
        .strip();
  }

  private void exited(Job job, int policy, int code) {
    boolean last;
    synchronized (this) {
      job.left--;
      job.failed |= code != 0;
      last = (job.left == 0 || (code != 0 && policy > 0)) && !job.state.equals("STOPPING");
    }
    if (last && job.failed) {
      ended(job, "FAILED", code, "User program exits with " + code, "USER_FAILURE");
    } else if (last) {
      ended(job, "SUCCEEDED", 0, "Succeeded", "USER_SUCCESS");
    }
  }

  private void ended(Job job, String state, int code, String phrase, String type) {
    machines.end(job.name);
    synchronized (this) {
      if (job.over) {
        return;
      }
      boolean ran = !job.state.equals("WAITING") && (job.left > 0 || !state.equals("STOPPED"));
      job.over = true;
      job.state = state;
      job.exitCode = code;
      job.phrase = phrase;
      job.type = type;
      usedGpus -= ran ? job.gpus : 0;
      schedule();
    }
  }

  @Override
  public boolean runs(String name) {
    return machines.runs(name);
  }

  @Override
  public void lose(String name) {
    Job job;
    synchronized (this) {
      job = jobs.get(name);
      job.over = true;
    }
    machines.kill(name);
    synchronized (this) {
      job.state = "FAILED";
      job.exitCode = -300;
      job.phrase = "PodNodeLost";
      job.type = "PLATFORM_FAILURE";
    }
  }

  @Override
  public void stop(String name) {
    Job job;
    synchronized (this) {
      job = jobs.get(name);
      // Before its processes go: a command that ends meanwhile has not failed.
      job.state = job.over ? job.state : "STOPPING";
    }
    ended(job, "STOPPED", -210, "StoppedByUser", "USER_STOP");
  }

  @Override
  public void delete(String name) {
    stop(name);
    synchronized (this) {
      jobs.remove(name);
    }
  }
}
