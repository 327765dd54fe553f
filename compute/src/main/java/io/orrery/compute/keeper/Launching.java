package io.orrery.compute.keeper;

import io.orrery.compute.command.ParameterVariables;
import io.orrery.compute.command.RunContext;
import io.orrery.compute.command.TrialCommand;
import io.orrery.compute.service.Keepers.Code;
import io.orrery.compute.service.Keepers.Launch;
import io.orrery.compute.service.Keepers.Role;
import io.orrery.compute.service.StepSetup;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrialAccess;
import io.orrery.core.digest.Sha256;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Builds the command that a keeper is started with. All that must be there beforehand is Python:
 * the command fetches the keeper from this server, looks whether it is the right one, and becomes
 * it.
 */
final class Launching {
  private static final String PROGRAM = "/keeper/orrery_keeper.pyz";
  private static final String BOOTSTRAP = "/keeper/bootstrap.py";
  private static final Pattern ROLE = Pattern.compile("[a-z0-9][a-z0-9-]{0,30}");

  private final TrialAccess access;
  private final String bootstrap;
  private final String digest;

  Launching(TrialAccess access) {
    this.access = access;
    this.bootstrap = new String(resource(BOOTSTRAP), StandardCharsets.UTF_8);
    this.digest = Sha256.hex(resource(PROGRAM));
  }

  /**
   * @param servers the URLs of those that take what this one takes; none where it is the only one
   * @throws io.orrery.core.problem.ProblemException Refused when the command can never run
   */
  Launch of(Submission submission, Role role, List<String> servers) {
    if (!ROLE.matcher(role.name()).matches()) {
      throw new IllegalArgumentException("not the name of a role: " + role.name());
    }
    AttemptRef attempt = submission.attempt();
    JobSpec job = submission.job();
    StepSetup step = submission.step();
    String command =
        step != null
            ? role.command()
            : TrialCommand.of(
                role.command(), submission.parameters().values(), job.parametersAsArguments());
    if (command.indexOf('\0') >= 0) {
      throw new Problem.Refused(
              new Finding("/trialCommand", "a command cannot hold the character NUL"))
          .toException();
    }
    Map<String, String> environment =
        new TreeMap<>(ParameterVariables.all(submission.parameters().values()));
    if (step != null) {
      environment.putAll(step.environment());
    } else {
      environment.put(RunContext.VARIABLE, RunContext.of(attempt.trial()));
    }
    environment.put(Launch.URL, access.serverUrl());
    if (!servers.isEmpty()) {
      environment.put(
          Launch.OTHER_URLS,
          servers.stream()
              .filter(url -> !url.equals(access.serverUrl()))
              .collect(Collectors.joining(" ")));
    }
    environment.put("ORRERY_COMMAND", command);
    environment.put("ORRERY_KEEPER_SHA256", digest);
    environment.put("ORRERY_KEEPER_ROLE", role.name());
    environment.put("ORRERY_KEEPER_REPORTS", role.reports().name().toLowerCase(Locale.ROOT));
    if (job.metrics().readEventFiles()) {
      environment.put("ORRERY_KEEPER_EVENT_FILES", "true");
    }
    environment.put("ORRERY_ATTEMPT", Integer.toString(attempt.number()));
    Code code = role.code();
    if (code != null) {
      environment.put("ORRERY_CODE", code.digest());
    }
    environment.put("NNI_PLATFORM", job.trainingService().platform());
    environment.put("NNI_EXP_ID", attempt.trial().experiment().value());
    environment.put("NNI_TRIAL_JOB_ID", attempt.trial().trial().value());
    environment.put("NNI_TRIAL_SEQ_ID", Long.toString(submission.sequenceId()));
    environment.put("MULTI_PHASE", Boolean.toString(job.multiPhase()));
    return new Launch(List.of("python3", "-c", bootstrap), environment, access.token(attempt));
  }

  private static byte[] resource(String name) {
    try (InputStream resource =
        Objects.requireNonNull(Launching.class.getResourceAsStream(name), name)) {
      return resource.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
