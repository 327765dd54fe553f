package io.orrery.compute.openpai;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.batch.JobApi;
import io.orrery.compute.batch.JobView;
import io.orrery.compute.batch.Refusal;
import io.orrery.compute.batch.Rest;
import io.orrery.compute.batch.Rest.Answer;
import io.orrery.compute.batch.Rest.Request;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.text.Percent;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * OpenPAI's REST API, version 2. Jobs that go on are listed in one call for the whole account; a
 * job that is not in it is asked for by its name, which tells why it ended as well.
 */
final class OpenPaiApi implements JobApi {
  private static final String API = "/rest-server/api/v2";
  private static final int PAGE = 5_000;

  /** OpenPAI before 1.0 knows no such filter and lists all. */
  private static final String MOVING = "WAITING,RUNNING,STOPPING";

  private final OpenPaiSettings settings;
  private final JobDocument document;
  private final OpenPaiLogin login;
  private final Rest rest;
  private final String serverUrl;

  /**
   * @param serverUrl what trials are told of this server
   */
  OpenPaiApi(OpenPaiSettings settings, OpenPaiLogin login, Rest rest, String serverUrl) {
    this.settings = settings;
    this.document = new JobDocument(settings, login::open);
    this.login = login;
    this.rest = rest;
    this.serverUrl = serverUrl;
  }

  @Override
  public Object account() {
    return settings.account();
  }

  @Override
  public String service() {
    return settings.account().service();
  }

  @Override
  public String url() {
    return settings.account().url();
  }

  @Override
  public List<Part> parts() {
    return document.parts();
  }

  @Override
  public String submit(Order order) {
    String wanted = "submit the job " + order.name();
    String job = JobDocument.yaml(document.of(order));
    send(new Request("POST", at("/jobs"), Map.of("Content-Type", "text/yaml"), job), wanted);
    return order.name();
  }

  @Override
  public Map<String, List<JobView>> look(Collection<JobRef> jobs) {
    Set<String> names = new HashSet<>();
    jobs.forEach(job -> names.add(job.name()));
    Map<String, List<JobView>> views = new HashMap<>();
    String wanted = "list jobs";
    int offset = 0;
    int listed;
    do {
      JsonNode page = send(Request.of("GET", list(offset)), wanted).json();
      if (!page.isArray()) {
        throw login.refusal().strange(wanted, "no list");
      }
      for (JsonNode job : page) {
        String name = job.path("name").asText().replaceFirst("^[^~]*~", "");
        JobView view = OpenPaiStatus.of(name, job);
        // How a job ended only its own page tells.
        if (names.contains(name) && !view.phase().isFinal()) {
          views.put(name, List.of(view));
          names.remove(name);
        }
      }
      listed = page.size();
      offset += PAGE;
    } while (listed == PAGE && !names.isEmpty());
    for (String name : names) {
      JsonNode job = find(name);
      if (job != null) {
        views.put(name, List.of(OpenPaiStatus.of(name, job.path("jobStatus"))));
      }
    }
    return views;
  }

  private String list(int offset) {
    return at("/jobs")
        + "?username="
        + Percent.encoded(settings.account().user())
        + "&keyword=nni_exp_&state="
        + MOVING
        + "&offset="
        + offset
        + "&limit="
        + PAGE;
  }

  private @Nullable JsonNode find(String name) {
    return read("/jobs/" + job(name), "look at the job " + name);
  }

  @Override
  public void stop(JobRef job) {
    try {
      send(
          Request.of("PUT", at("/jobs/" + job(job.name()) + "/executionType"))
              .with("application/json", Map.of("value", "STOP")),
          "stop the job " + job.name());
    } catch (ProblemException e) {
      if (!Refusal.isMissing(e)) {
        throw e;
      }
    }
  }

  @Override
  public String page(JobRef job) {
    return url()
        + "/job-detail.html?username="
        + Percent.encoded(settings.account().user())
        + "&jobName="
        + Percent.encoded(job.name());
  }

  @Override
  public @Nullable String outputs(AttemptRef attempt) {
    OpenPaiSettings.Storage storage = settings.storage();
    return storage == null ? null : "file://" + storage.here(attempt);
  }

  @Override
  public List<Item> check(int concurrency) {
    return new OpenPaiCheck(this, settings, serverUrl, concurrency).items();
  }

  /** What is at a path of the API; null when there is nothing. */
  @Nullable JsonNode read(String path, String wanted) {
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
    return login.send(rest, request, wanted);
  }

  private String at(String path) {
    return url() + API + path;
  }

  private String job(String name) {
    return Percent.encoded(settings.account().user()) + "~" + Percent.encoded(name);
  }
}
