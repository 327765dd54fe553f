package io.orrery.compute.dlc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.batch.JobApi;
import io.orrery.compute.batch.JobView;
import io.orrery.compute.batch.JobView.Phase;
import io.orrery.compute.batch.Refusal;
import io.orrery.compute.batch.Rest;
import io.orrery.compute.batch.Rest.Answer;
import io.orrery.compute.batch.Start;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.service.Callback;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.Keepers.Reports;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.text.Percent;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A client for PAI-DLC's REST API. The jobs of the last days are listed by what their names have in
 * common; one that is not on the first pages is asked for by its id. DLC gives ids, and minds no
 * name that comes twice.
 */
final class DlcApi implements JobApi {
  private static final String VERSION = "2020-12-03";
  private static final String JOBS = "/api/v1/jobs";
  private static final int PAGE = 100;
  private static final int MOST_PAGES = 20;

  /** Its flow control counts by the minute, and says no more than that it is in force. */
  private static final Duration THROTTLED = Duration.ofSeconds(60);

  /** The codes for an access key that is not known, or not any longer; some come with 404. */
  private static final Pattern ACCOUNT =
      Pattern.compile("\"(InvalidAccessKeyId|InvalidSecurityToken|Forbidden|NoPermission)");

  private final DlcSettings settings;
  private final DlcSettings.Account account;
  private final SecretBox secrets;
  private final Rest rest;
  private final InstantSource clock;
  private final String serverUrl;

  /**
   * @param serverUrl what trials are told of this server
   */
  DlcApi(
      DlcSettings settings, SecretBox secrets, Rest rest, InstantSource clock, String serverUrl) {
    this.settings = settings;
    this.account = settings.account();
    this.secrets = secrets;
    this.rest = rest;
    this.clock = clock;
    this.serverUrl = serverUrl;
  }

  @Override
  public Object account() {
    return account;
  }

  @Override
  public String service() {
    return account.service();
  }

  @Override
  public String url() {
    return account.url();
  }

  @Override
  public List<Part> parts() {
    Reports reports = settings.pods() == 1 ? Reports.ALL : Reports.FIRST;
    return List.of(new Part("main", new Keepers.Role("main", reports, settings.command(), null)));
  }

  @Override
  public String submit(Order order) {
    String wanted = "submit the job " + order.name();
    Start start = Start.of(order.launch(parts().getFirst()), settings.callback());
    DlcSettings.Storage storage = settings.storage();
    if (storage != null) {
      start = start.with("ORRERY_OUTPUT_DIRECTORY", storage.inContainer(order.attempt()));
    }
    ObjectNode job = Json.MAPPER.createObjectNode();
    job.put("DisplayName", order.name()).put("JobType", settings.jobType());
    job.put("WorkspaceId", account.workspace()).put("UserCommand", start.line());
    job.putArray("JobSpecs")
        .addObject()
        .put("Type", settings.type())
        .put("Image", settings.image())
        .put("PodCount", settings.pods())
        .put("EcsSpec", settings.machine());
    ObjectNode variables = job.putObject("Envs");
    start.all().forEach(variables::put);
    settings
        .dataSources()
        .forEach(id -> job.withArrayProperty("DataSources").addObject().put("DataSourceId", id));
    JsonNode id =
        send("POST", JOBS, Map.of(), "CreateJob", Json.write(job), wanted).json().path("JobId");
    if (!id.isTextual()) {
      throw refusal("").strange(wanted, "no JobId");
    }
    return id.textValue();
  }

  @Override
  public Map<String, List<JobView>> look(Collection<JobRef> jobs) {
    Map<String, JobRef> wanted = new HashMap<>();
    jobs.forEach(job -> wanted.put(job.name(), job));
    Set<String> missing = new HashSet<>(wanted.keySet());
    Map<String, List<JobView>> views = new HashMap<>();
    Map<String, String> query = new TreeMap<>();
    query.put("WorkspaceId", account.workspace());
    query.put("DisplayName", common(missing));
    query.put("PageSize", Integer.toString(PAGE));
    query.put("SortBy", "GmtCreateTime");
    query.put("Order", "desc");
    int listed = PAGE;
    for (int page = 1; page <= MOST_PAGES && listed == PAGE && !missing.isEmpty(); page++) {
      query.put("PageNumber", Integer.toString(page));
      JsonNode list = send("GET", JOBS, query, "ListJobs", null, "list jobs").json().path("Jobs");
      for (JsonNode job : list) {
        String name = job.path("DisplayName").asText();
        JobRef ref = wanted.get(name);
        if (ref != null) {
          JobView view = view(job);
          views.computeIfAbsent(name, first -> new ArrayList<>()).add(view);
          if (ref.id() == null || ref.id().equals(view.id())) {
            missing.remove(name);
          }
        }
      }
      listed = list.size();
    }
    for (String name : missing) {
      JobRef ref = wanted.get(name);
      JsonNode job = ref == null || ref.id() == null ? null : find(ref.id());
      if (job != null) {
        views.computeIfAbsent(name, first -> new ArrayList<>()).add(view(job));
      }
    }
    return views;
  }

  /** What all names begin with. */
  private static String common(Set<String> names) {
    String common = null;
    for (String name : names) {
      if (common == null) {
        common = name;
      }
      int same = 0;
      while (same < Math.min(common.length(), name.length())
          && common.charAt(same) == name.charAt(same)) {
        same++;
      }
      common = common.substring(0, same);
    }
    return common == null ? "" : common;
  }

  private @Nullable JsonNode find(String id) {
    try {
      return send("GET", job(id), Map.of(), "GetJob", null, "look at the job " + id).json();
    } catch (ProblemException e) {
      if (Refusal.isMissing(e)) {
        return null;
      }
      throw e;
    }
  }

  private static String job(String id) {
    return JOBS + "/" + Percent.encoded(id);
  }

  private static JobView view(JsonNode job) {
    String state = job.path("Status").asText();
    Phase phase =
        switch (state) {
          case "Running", "Restarting", "Stopping", "SucceededReserving", "FailedReserving" ->
              Phase.RUNNING;
          case "Succeeded" -> Phase.SUCCEEDED;
          case "Failed" -> Phase.FAILED;
          case "Stopped" -> Phase.STOPPED;
          default -> Phase.WAITING;
        };
    return JobView.of(job.path("JobId").asText(), phase, state)
        .because(job.path("ReasonMessage").asText(null))
        .at(time(job.path("GmtRunningTime")), time(job.path("GmtFinishTime")));
  }

  private static @Nullable Instant time(JsonNode text) {
    try {
      return text.isTextual() ? Instant.parse(text.textValue()) : null;
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  @Override
  public void stop(JobRef job) {
    String id = job.id();
    if (id == null) {
      return;
    }
    try {
      send("POST", job(id) + "/stop", Map.of(), "StopJob", null, "stop the job " + id);
    } catch (ProblemException e) {
      // It is not there, or over by now.
      if (!(Refusal.isMissing(e) || e.problem() instanceof Problem.Conflict)) {
        throw e;
      }
    }
  }

  @Override
  public @Nullable String page(JobRef job) {
    return job.id() == null
        ? null
        : "https://pai.console.aliyun.com/?regionId="
            + Percent.encoded(account.region())
            + "&workspaceId="
            + Percent.encoded(account.workspace())
            + "#/dlc2/jobs/"
            + Percent.encoded(job.id())
            + "/overview";
  }

  @Override
  public @Nullable String outputs(AttemptRef attempt) {
    DlcSettings.Storage storage = settings.storage();
    return storage == null ? null : "file://" + storage.here(attempt);
  }

  @Override
  public List<Item> check(int concurrency) {
    List<Item> items = new ArrayList<>();
    Map<String, String> query = Map.of("WorkspaceId", account.workspace(), "PageSize", "1");
    try {
      send("GET", JOBS, query, "ListJobs", null, "list jobs");
      items.add(Item.good("service", service()));
      items.add(Item.good("login", account.keyId()));
      items.add(Item.good("workspace", account.workspace()));
    } catch (ProblemException e) {
      items.add(fault(e));
    }
    items.add(Callback.check(Callback.url(serverUrl, settings.callback()), url()));
    return items;
  }

  private static Item fault(ProblemException e) {
    String found = e.problem().detail();
    if (Refusal.isMissing(e)) {
      return Item.bad("workspace", found, "check workspaceId");
    }
    return Refusal.isOfAccount(e) || !(e.problem() instanceof Problem.Busy)
        ? Item.bad("login", found, "check accessKeyId and accessKeySecret, and its rights")
        : Item.bad("service", found, "check region and the network in between");
  }

  private Answer send(
      String method,
      String path,
      Map<String, String> query,
      String action,
      @Nullable String body,
      String wanted) {
    String secret = secrets.open(account.keySecret(), DlcSettings.AT + "/accessKeySecret");
    Answer answer =
        rest.send(
            new Signature(account.keyId(), secret)
                .request(
                    method,
                    url(),
                    path,
                    query,
                    action,
                    VERSION,
                    body,
                    clock.instant(),
                    UUID.randomUUID().toString()));
    if (answer.isGood()) {
      return answer;
    }
    if (ACCOUNT.matcher(answer.body()).find()) {
      throw refusal(secret).ofAccount(answer, wanted);
    }
    ProblemException refused = refusal(secret).of(answer, wanted);
    if (answer.body().contains("\"Throttling")) {
      throw new Problem.Busy(refused.problem().detail(), THROTTLED).toException();
    }
    throw refused;
  }

  private Refusal refusal(String secret) {
    return new Refusal(
        service(), DlcSettings.AT + "/region", secret.isEmpty() ? List.of() : List.of(secret));
  }
}
