package io.orrery.compute.dlts;

import io.orrery.core.experiment.JobSpec;
import io.orrery.core.problem.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code trainingService} of an experiment on DLTS.
 *
 * @param callback the host that jobs reach the server at; null for that of its advertised URL
 * @param self the job of DLTS that the server is; null when it is none
 */
record DltsSettings(
    Account account,
    String image,
    int gpus,
    String command,
    @Nullable String callback,
    @Nullable String self) {
  static final String AT = "/trainingService";

  /** What a job of DLTS finds in its own environment, for a server that is one. */
  private static final Map<String, String> VARIABLES =
      Map.of("team", "DLWS_VC_NAME", "email", "DLWS_USER_EMAIL", "password", "DLTS_JOB_TOKEN");

  /**
   * The account that jobs belong to.
   *
   * @param dashboard with its scheme and without a trailing slash
   * @param password as the configuration stores it
   */
  record Account(String dashboard, String cluster, String team, String email, String password) {
    String service() {
      return "DLTS at " + dashboard;
    }

    @Override
    public String toString() {
      return email + " at " + dashboard;
    }
  }

  /**
   * Returns the settings that are missing both in the configuration and in the server's
   * environment.
   */
  static List<Finding> missing(JobSpec job, Map<String, String> environment) {
    List<Finding> findings = new ArrayList<>();
    for (String key : List.of("team", "email", "password")) {
      if (value(job, key, environment).isEmpty()) {
        findings.add(
            new Finding(
                AT + "/" + key,
                key
                    + " is missing: set it, or start the server with "
                    + VARIABLES.get(key)
                    + " in its environment"));
      }
    }
    return findings;
  }

  static DltsSettings of(JobSpec job, Map<String, String> environment) {
    Integer gpus = job.gpuNumber();
    return new DltsSettings(
        new Account(
            text(job, "dashboard"),
            text(job, "cluster"),
            value(job, "team", environment),
            value(job, "email", environment),
            value(job, "password", environment)),
        text(job, "dockerImage"),
        gpus == null ? 0 : gpus,
        job.command(),
        job.trainingService().settings().values().get("nniManagerIp") instanceof String host
            ? host
            : null,
        environment.get("DLTS_JOB_ID"));
  }

  /** A password that the environment has is looked up there each time, and nowhere kept. */
  private static String value(JobSpec job, String key, Map<String, String> environment) {
    String given = text(job, key);
    String variable = String.valueOf(VARIABLES.get(key));
    if (!given.isEmpty()) {
      return given;
    }
    String there = environment.getOrDefault(variable, "");
    return there.isEmpty() || !key.equals("password") ? there : "env:" + variable;
  }

  private static String text(JobSpec job, String key) {
    return job.trainingService().settings().values().get(key) instanceof String text ? text : "";
  }
}
