package io.orrery.compute.dlts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.batch.JobApi;
import io.orrery.compute.batch.JobView;
import io.orrery.compute.batch.JobView.Phase;
import io.orrery.compute.batch.Refusal;
import io.orrery.compute.batch.Rest;
import io.orrery.compute.batch.Rest.Answer;
import io.orrery.compute.batch.Rest.Request;
import io.orrery.compute.batch.Start;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.service.Callback;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.Keepers.Reports;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.text.Percent;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The REST API of DLTS's dashboard, which wants account and password in the query of each call. A
 * team's jobs are listed in one call, the newest first; one that is not in it is asked for by its
 * id. DLTS gives ids, and minds no name that comes twice.
 */
final class DltsApi implements JobApi {
  private static final int NEWEST = 1_000;
  private static final Duration OPENING = Duration.ofSeconds(2);

  private final DltsSettings settings;
  private final DltsSettings.Account account;
  private final SecretBox secrets;
  private final Rest rest;
  private final String serverUrl;

  /** Where the cluster has opened this server's port; null while it has not been asked for. */
  private @Nullable String node;

  /**
   * @param serverUrl what trials are told of this server
   */
  DltsApi(DltsSettings settings, SecretBox secrets, Rest rest, String serverUrl) {
    this.settings = settings;
    this.account = settings.account();
    this.secrets = secrets;
    this.rest = rest;
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
    return account.dashboard();
  }

  @Override
  public List<Part> parts() {
    return List.of(
        new Part("main", new Keepers.Role("main", Reports.ALL, settings.command(), null)));
  }

  @Override
  public String submit(Order order) {
    String wanted = "submit the job " + order.name();
    Start start = Start.of(order.launch(parts().getFirst()), callback());
    ObjectNode job = Json.MAPPER.createObjectNode();
    job.put("team", account.team()).put("vcName", account.team()).put("userName", account.email());
    job.put("gpuType", gpuType()).put("resourcegpu", settings.gpus());
    job.put("jobName", order.name()).put("jobType", "training");
    job.put("jobtrainingtype", "RegularJob").put("image", settings.image());
    job.put("cmd", start.script());
    job.put("enableworkpath", true).put("enablejobpath", true).put("preemptionAllowed", "False");
    job.putArray("interactivePorts");
    job.putArray("env").addObject().put("name", "TMPDIR").put("value", "$HOME/tmp");
    Answer answer =
        send(
            Request.of(
                    "POST", at("/api/clusters/" + Percent.encoded(account.cluster()) + "/jobs", ""))
                .with("application/json", job),
            wanted);
    JsonNode id = answer.json().path("jobId");
    if (!id.isTextual()) {
      // It answers so when it does not like a job.
      throw new Problem.Refused(
              new Finding(
                  DltsSettings.AT,
                  service()
                      + " refused to "
                      + wanted
                      + ": "
                      + answer.json().path("error").asText()))
          .toException();
    }
    return id.textValue();
  }

  /** What jobs call this server by; null for the host of its advertised URL. */
  private @Nullable String callback() {
    String self = settings.self();
    return self == null || !isHidden() ? settings.callback() : node(self);
  }

  /** Whether the configuration does not say how it is reached, and by itself it is not. */
  private boolean isHidden() {
    return settings.callback() == null && Callback.isLoopback(serverUrl);
  }

  /**
   * The port of a node that leads to this server, which is a job itself: asked for when there is
   * none, and Busy until it is open.
   */
  private synchronized String node(String self) {
    if (node == null) {
      int port = URI.create(serverUrl).getPort();
      String wanted = "open port " + port + " of the job " + self + ", which this server is";
      String endpoints = at(job("/api", self) + "/endpoints", "");
      JsonNode opened = null;
      for (JsonNode endpoint : send(Request.of("GET", endpoints), wanted).json()) {
        opened = endpoint.path("podPort").asInt() == port ? endpoint : opened;
      }
      if (opened == null) {
        send(
            Request.of("POST", endpoints)
                .with(
                    "application/json",
                    Map.of("endpoints", List.of(Map.of("name", "orrery", "podPort", port)))),
            wanted);
      }
      if (opened == null || !opened.path("status").asText().equals("running")) {
        throw new Problem.Busy(service() + " is about to " + wanted, OPENING).toException();
      }
      node = opened.path("nodeName").asText() + ":" + opened.path("port").asInt();
    }
    return node;
  }

  /** The first kind of GPU that the team has there. */
  private String gpuType() {
    String wanted = "look at the team " + account.team();
    JsonNode team = send(Request.of("GET", at(team(), "")), wanted).json();
    JsonNode metadata = Json.parse(team.path("metadata").asText("{}"));
    return metadata.properties().stream().map(Map.Entry::getKey).findFirst().orElse("");
  }

  private String team() {
    return "/api/teams/"
        + Percent.encoded(account.team())
        + "/clusters/"
        + Percent.encoded(account.cluster());
  }

  @Override
  public Map<String, List<JobView>> look(Collection<JobRef> jobs) {
    String action = "list jobs";
    String list =
        "/api/v2/clusters/"
            + Percent.encoded(account.cluster())
            + "/teams/"
            + Percent.encoded(account.team())
            + "/jobs";
    JsonNode all = send(Request.of("GET", at(list, "&limit=" + NEWEST)), action).json();
    if (!all.isArray()) {
      throw refusal("").strange(action, "no list");
    }
    Map<String, JobRef> wanted = new HashMap<>();
    jobs.forEach(job -> wanted.put(job.name(), job));
    Map<String, List<JobView>> views = new HashMap<>();
    for (JsonNode job : all) {
      String name = job.path("jobName").asText();
      if (wanted.containsKey(name)) {
        views.computeIfAbsent(name, first -> new ArrayList<>()).add(view(job));
      }
    }
    for (JobRef ref : jobs) {
      String id = ref.id();
      List<JobView> listed = views.getOrDefault(ref.name(), List.of());
      if (id != null && listed.stream().noneMatch(job -> job.id().equals(id))) {
        JsonNode job = find(id);
        if (job != null) {
          views.computeIfAbsent(ref.name(), first -> new ArrayList<>()).add(view(job));
        }
      }
    }
    return views;
  }

  private @Nullable JsonNode find(String id) {
    try {
      return send(Request.of("GET", at(job("/api/v2", id), "")), "look at the job " + id).json();
    } catch (ProblemException e) {
      if (Refusal.isMissing(e)) {
        return null;
      }
      throw e;
    }
  }

  private static JobView view(JsonNode job) {
    String state = job.path("jobStatus").asText();
    Phase phase =
        switch (state) {
          case "running", "killing", "pausing", "paused" -> Phase.RUNNING;
          case "finished" -> Phase.SUCCEEDED;
          case "failed", "error" -> Phase.FAILED;
          case "killed" -> Phase.STOPPED;
          default -> Phase.WAITING;
        };
    return JobView.of(job.path("jobId").asText(), phase, state)
        .because(job.path("errorMsg").asText(null));
  }

  @Override
  public void stop(JobRef job) {
    String id = job.id();
    if (id == null) {
      return;
    }
    try {
      send(
          Request.of("PUT", at(job("/api", id) + "/status", ""))
              .with("application/json", Map.of("status", "killing")),
          "stop the job " + id);
    } catch (ProblemException e) {
      if (!Refusal.isMissing(e)) {
        throw e;
      }
    }
  }

  @Override
  public @Nullable String page(JobRef job) {
    return job.id() == null
        ? null
        : url()
            + "/job/"
            + Percent.encoded(account.team())
            + "/"
            + Percent.encoded(account.cluster())
            + "/"
            + Percent.encoded(job.id());
  }

  @Override
  public List<Item> check(int concurrency) {
    List<Item> items = new ArrayList<>();
    try {
      String gpus = gpuType();
      items.add(Item.good("service", service()));
      items.add(Item.good("login", account.email()));
      items.add(
          gpus.isEmpty() && settings.gpus() > 0
              ? Item.bad(
                  "team", account.team() + " has no GPUs there", "name another cluster, or team")
              : Item.good("team", account.team() + (gpus.isEmpty() ? "" : ", " + gpus)));
    } catch (ProblemException e) {
      items.add(fault(e));
    }
    items.add(
        settings.self() != null && isHidden()
            ? Item.good("callback", "DLTS opens a port of this server, its job " + settings.self())
            : Callback.check(Callback.url(serverUrl, settings.callback()), url()));
    return items;
  }

  private static Item fault(ProblemException e) {
    String found = e.problem().detail();
    if (Refusal.isOfAccount(e)) {
      return Item.bad("login", found, "check email and password");
    }
    return Refusal.isMissing(e)
        ? Item.bad("team", found, "check team and cluster")
        : Item.bad("service", found, "check dashboard and the network in between");
  }

  // ---- calls ---------------------------------------------------------------------------------

  private String job(String api, String id) {
    return api + "/clusters/" + Percent.encoded(account.cluster()) + "/jobs/" + Percent.encoded(id);
  }

  private String at(String path, String more) {
    return url()
        + path
        + "?email="
        + Percent.encoded(account.email())
        + "&password="
        + Percent.encoded(password())
        + more;
  }

  private String password() {
    return secrets.open(account.password(), DltsSettings.AT + "/password");
  }

  private Answer send(Request request, String wanted) {
    Answer answer = rest.send(request);
    if (!answer.isGood()) {
      throw refusal(password()).of(answer, wanted);
    }
    return answer;
  }

  private Refusal refusal(String secret) {
    return new Refusal(
        service(),
        DltsSettings.AT + "/dashboard",
        secret.isEmpty() ? List.of() : List.of(secret, Percent.encoded(secret)));
  }
}
