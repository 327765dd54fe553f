package io.orrery.core.run;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.VersionName;
import io.orrery.core.service.ServiceName;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The work of a step: a program on a training service, something that the server does itself, or a
 * question to people.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type", defaultImpl = StepCommand.class)
@JsonSubTypes({
  @JsonSubTypes.Type(value = StepCommand.class, name = "command"),
  @JsonSubTypes.Type(value = StepWork.Search.class, name = "search"),
  @JsonSubTypes.Type(value = StepWork.Registration.class, name = "registration"),
  @JsonSubTypes.Type(value = StepWork.Deployment.class, name = "deployment"),
  @JsonSubTypes.Type(value = StepWork.Approval.class, name = "approval"),
  @JsonSubTypes.Type(value = StepWork.Debugging.class, name = "debugging"),
})
public sealed interface StepWork permits StepCommand, StepWork.OfServer, StepWork.Approval {
  /** The place where {@link OfServer} work is done, in the column of training services. */
  String SERVER = "server";

  /** The place of an {@link Approval}, in the column of training services. */
  String PEOPLE = "people";

  /** The outputs of other tasks that the work needs, apart from the inputs of its step. */
  List<OutputRef> uses();

  /**
   * Waits until a user approves or refuses.
   *
   * @param message what is asked
   * @param by who may answer; empty for users who may operate the run
   */
  record Approval(ValueText message, List<String> by) implements StepWork {
    public Approval {
      by = List.copyOf(by);
    }

    /** The names of its outputs: who approved, and why. */
    public static final List<String> OUTPUTS = List.of("by", "why");

    @Override
    public List<OutputRef> uses() {
      return message.outputs();
    }
  }

  /** A piece of work that the server does itself, without a program. */
  sealed interface OfServer extends StepWork {}

  /**
   * Runs an experiment to its end.
   *
   * @param config the configuration as JSON
   * @param base the absolute directory that its relative paths start from; null for absolute ones
   */
  record Search(String config, @Nullable String base) implements OfServer {
    @Override
    public List<OutputRef> uses() {
      return List.of();
    }

    /** Nothing of the configuration, which may hold secrets. */
    @Override
    public String toString() {
      return "Search[" + base + "]";
    }
  }

  /**
   * Registers a version of a model. Either of the two sources is given.
   *
   * @param from a file or directory that a step has made
   * @param experiment the output with the id of the experiment whose best trial's files are taken
   * @param version null for the next number
   * @param framework empty when nothing is said
   * @param aliases that are pointed to the version
   */
  record Registration(
      ModelName model,
      @Nullable OutputRef from,
      @Nullable OutputRef experiment,
      @Nullable VersionName version,
      String framework,
      List<ModelAlias> aliases)
      implements OfServer {
    /** The name of the input that has the files. */
    public static final String INPUT = "model";

    public Registration {
      aliases = List.copyOf(aliases);
    }

    @Override
    public List<OutputRef> uses() {
      return Stream.of(from, experiment).filter(Objects::nonNull).toList();
    }
  }

  /**
   * Keeps a program for shells where a step would run, with its files and variables, until the run
   * is stopped.
   *
   * @param command of the step, which is not run
   */
  record Debugging(StepCommand command) implements OfServer {
    @Override
    public List<OutputRef> uses() {
      return command.uses();
    }
  }

  /**
   * Deploys a service and waits until it is ready.
   *
   * @param document a JSON object
   */
  record Deployment(ServiceName service, String document) implements OfServer {
    @Override
    public List<OutputRef> uses() {
      return List.of();
    }

    /** Nothing of the document, whose environment may hold secrets. */
    @Override
    public String toString() {
      return "Deployment[" + service + "]";
    }
  }
}
