package io.orrery.cli.pipeline;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say with what a task is started alone. */
public final class TaskStart {
  @Option(
      names = "--param",
      paramLabel = "K=V",
      arity = "1",
      description = "A parameter; may be repeated.")
  private @Nullable List<String> parameters;

  @Option(
      names = "--from",
      paramLabel = "RUN",
      description = "Whose outputs it is given. Default: the newest run that has them.")
  private @Nullable String from;

  /** The body of the request that starts it. */
  String body() {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    if (from != null) {
      body.put("from", from);
    }
    body.set("parameters", RunPipeline.parameters(parameters == null ? List.of() : parameters));
    return body.toString();
  }
}
