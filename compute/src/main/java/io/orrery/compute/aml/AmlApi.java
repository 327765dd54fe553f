package io.orrery.compute.aml;

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
import io.orrery.compute.service.Callback;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.Keepers.Reports;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.digest.Sha256;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.text.Percent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of a workspace by Azure Resource Manager's REST API. Jobs of ours have a tag and are listed
 * by it, the newest first; one that is not on the first pages is asked for by its name, which is
 * the identifier that we gave it.
 */
final class AmlApi implements JobApi {
  private static final String VERSION = "api-version=2024-04-01";
  private static final String TAG = "orrery";
  private static final int MOST_PAGES = 10;

  private final AmlSettings settings;
  private final AmlLogin login;
  private final Rest rest;
  private final String serverUrl;

  /**
   * @param serverUrl what trials are told of this server
   */
  AmlApi(AmlSettings settings, AmlLogin login, Rest rest, String serverUrl) {
    this.settings = settings;
    this.login = login;
    this.rest = rest;
    this.serverUrl = serverUrl;
  }

  @Override
  public Object account() {
    return settings.workspace();
  }

  @Override
  public String service() {
    return "the workspace " + settings.workspace().name() + " at " + url();
  }

  @Override
  public String url() {
    return login.places().management();
  }

  @Override
  public List<Part> parts() {
    return List.of(
        new Part("main", new Keepers.Role("main", Reports.ALL, settings.command(), null)));
  }

  /** An image becomes an environment of the workspace, named by its content. */
  @Override
  public void prepare() {
    String wanted = "make an environment of the image " + settings.image();
    send(
        Request.of("PUT", at(environment()))
            .with(
                "application/json",
                Map.of("properties", Map.of("image", settings.image(), "osType", "Linux"))),
        wanted);
  }

  private String environment() {
    return "/environments/orrery-" + digest(settings.image()) + "/versions/1";
  }

  private static String digest(String text) {
    return Sha256.hex(text, 8);
  }

  /** A job that is there would be changed by the same call, so it is looked for first. */
  @Override
  public String submit(Order order) {
    if (find("/jobs/" + order.name(), "look at the job " + order.name()) != null) {
      throw new Problem.Conflict(service() + " has a job " + order.name()).toException();
    }
    Start start = Start.of(order.launch(parts().getFirst()), settings.callback());
    ObjectNode job = Json.MAPPER.createObjectNode();
    ObjectNode properties = job.putObject("properties");
    properties.put("jobType", "Command").put("displayName", order.name());
    properties.put("experimentName", "nni_exp_" + order.attempt().trial().experiment());
    properties.put("command", start.line());
    properties.put("environmentId", settings.workspace().id() + environment());
    properties.put("computeId", settings.workspace().id() + compute());
    properties.putObject("resources").put("instanceCount", 1);
    properties.putObject("tags").put(TAG, order.attempt().trial().experiment().value());
    ObjectNode variables = properties.putObject("environmentVariables");
    start.all().forEach(variables::put);
    send(
        Request.of("PUT", at("/jobs/" + order.name())).with("application/json", job),
        "submit the job " + order.name());
    return order.name();
  }

  private String compute() {
    return "/computes/" + Percent.encoded(settings.compute());
  }

  @Override
  public Map<String, List<JobView>> look(Collection<JobRef> jobs) {
    Set<String> names = new HashSet<>();
    jobs.forEach(job -> names.add(job.name()));
    Map<String, List<JobView>> views = new HashMap<>();
    String wanted = "list jobs";
    String next = at("/jobs") + "&jobType=Command&tag=" + TAG;
    for (int page = 0; page < MOST_PAGES && next != null && !names.isEmpty(); page++) {
      JsonNode list = send(Request.of("GET", next), wanted).json();
      for (JsonNode job : list.path("value")) {
        String name = job.path("name").asText();
        if (names.remove(name)) {
          views.put(name, List.of(view(name, job)));
        }
      }
      next = list.path("nextLink").textValue();
      if (next != null && !next.startsWith(url() + "/")) {
        throw refusal("").strange(wanted, "the next page is elsewhere");
      }
    }
    for (String name : names) {
      JsonNode job = find("/jobs/" + name, "look at the job " + name);
      if (job != null) {
        views.put(name, List.of(view(name, job)));
      }
    }
    return views;
  }

  private static JobView view(String name, JsonNode job) {
    String state = job.at("/properties/status").asText();
    Phase phase =
        switch (state) {
          case "Running", "Finalizing", "CancelRequested", "NotResponding", "Paused" ->
              Phase.RUNNING;
          case "Completed" -> Phase.SUCCEEDED;
          case "Failed" -> Phase.FAILED;
          case "Canceled" -> Phase.STOPPED;
          default -> Phase.WAITING;
        };
    return JobView.of(name, phase, state);
  }

  @Override
  public void stop(JobRef job) {
    try {
      send(Request.of("POST", at("/jobs/" + job.name() + "/cancel")), "stop the job " + job.name());
    } catch (ProblemException e) {
      // It is not there, or over by now.
      if (!(Refusal.isMissing(e) || e.problem() instanceof Problem.Conflict)) {
        throw e;
      }
    }
  }

  @Override
  public String page(JobRef job) {
    return "https://ml.azure.com/runs/" + job.name() + "?wsid=" + settings.workspace().id();
  }

  // ---- the check -----------------------------------------------------------------------------

  @Override
  public List<Item> check(int concurrency) {
    List<Item> items = new ArrayList<>();
    try {
      boolean there = find("", "look at the workspace") != null;
      items.add(Item.good("service", url()));
      items.add(Item.good("login", login.who()));
      items.add(
          there
              ? Item.good("workspace", settings.workspace().name())
              : Item.bad(
                  "workspace",
                  "there is no " + settings.workspace().name(),
                  "check subscriptionId, resourceGroup and workspaceName"));
      if (there) {
        items.add(room(concurrency));
      }
    } catch (ProblemException e) {
      items.add(fault(e));
    }
    items.add(Callback.check(Callback.url(serverUrl, settings.callback()), url()));
    return items;
  }

  private Item room(int concurrency) {
    JsonNode compute = find(compute(), "look at the compute " + settings.compute());
    if (compute == null) {
      return Item.bad(
          "compute", "there is no " + settings.compute(), "name one that is: computeTarget");
    }
    String state = compute.at("/properties/provisioningState").asText("Succeeded");
    if (!state.equals("Succeeded")) {
      return Item.bad("compute", settings.compute() + " is " + state, "repair it in the workspace");
    }
    int most = compute.at("/properties/properties/scaleSettings/maxNodeCount").asInt(concurrency);
    return most >= concurrency
        ? Item.good("compute", settings.compute())
        : Item.doubtful(
            "compute",
            settings.compute()
                + " has at most "
                + most
                + " nodes, for "
                + concurrency
                + " trials at once",
            "let it have more, or lower trialConcurrency");
  }

  private static Item fault(ProblemException e) {
    String found = e.problem().detail();
    return Refusal.isOfAccount(e) || e.problem() instanceof Problem.Refused
        ? Item.bad(
            "login",
            found,
            "start the server with AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET of an"
                + " application that may use the workspace, or on a machine of Azure whose"
                + " identity may")
        : Item.bad("service", found, "check the network in between");
  }

  // ---- calls ---------------------------------------------------------------------------------

  private String at(String path) {
    return url() + settings.workspace().id() + path + "?" + VERSION;
  }

  private @Nullable JsonNode find(String path, String wanted) {
    try {
      return send(Request.of("GET", at(path)), wanted).json();
    } catch (ProblemException e) {
      if (Refusal.isMissing(e)) {
        return null;
      }
      throw e;
    }
  }

  private Answer send(Request request, String wanted) {
    String token = login.token(rest);
    Answer answer = rest.send(request.with("Authorization", "Bearer " + token));
    if (answer.status() == 401) {
      login.forget();
      token = login.token(rest);
      answer = rest.send(request.with("Authorization", "Bearer " + token));
    }
    if (!answer.isGood()) {
      throw refusal(token).of(answer, wanted);
    }
    return answer;
  }

  private Refusal refusal(String token) {
    return new Refusal(
        service(), AmlSettings.AT + "/workspaceName", token.isEmpty() ? List.of() : List.of(token));
  }
}
