package io.orrery.compute.openpai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.orrery.compute.batch.JobApi.Order;
import io.orrery.compute.batch.JobApi.Part;
import io.orrery.compute.batch.Start;
import io.orrery.compute.command.TrialCommand;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.Keepers.Reports;
import io.orrery.core.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.regex.Pattern;

/**
 * A job in OpenPAI's job protocol, version 2: the one that the keys of the configuration describe,
 * or the user's own with another name and a keeper around the commands of each role.
 */
final class JobDocument {
  private static final String TOKEN = "orrery_trial_token";
  private static final String VARIABLES = "orrery_variables";
  private static final String IMAGE = "docker_image_0";
  private static final String ROLE = "taskrole";

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z]\\w*");

  private static final Pattern NOT_OF_YAML =
      Pattern.compile("[\\x7f-\\x9f\\u2028\\u2029\\ufeff\\ufffe\\uffff]");

  private final OpenPaiSettings settings;
  private final BinaryOperator<String> opens;

  /**
   * @param opens what a stored secret of the user's document stands for, with its name
   */
  JobDocument(OpenPaiSettings settings, BinaryOperator<String> opens) {
    this.settings = settings;
    this.opens = opens;
  }

  /** The task roles, the one that reports first. */
  List<Part> parts() {
    ObjectNode document = settings.document();
    if (document == null) {
      return List.of(
          new Part(ROLE, new Keepers.Role("main", Reports.ALL, settings.command(), null)));
    }
    List<Part> parts = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    String reporter = settings.reporter();
    for (Map.Entry<String, JsonNode> role : document.path("taskRoles").properties()) {
      boolean reports = reporter == null ? parts.isEmpty() : role.getKey().equals(reporter);
      boolean alone = role.getValue().path("instances").asInt(1) == 1;
      Part part =
          new Part(
              role.getKey(),
              new Keepers.Role(
                  keeper(role.getKey(), taken),
                  !reports ? Reports.NONE : alone ? Reports.ALL : Reports.FIRST,
                  commands(role.getValue()),
                  null));
      parts.add(reports ? 0 : parts.size(), part);
    }
    return parts;
  }

  /** Keepers' names are stricter than OpenPAI's, and two of those may differ in nothing else. */
  private static String keeper(String role, Set<String> taken) {
    String plain = role.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String name = plain.replaceAll("^-|-$", "");
    name = name.isEmpty() ? "role" : name.substring(0, Math.min(name.length(), 24));
    String free = name;
    for (int i = 2; !taken.add(free); i++) {
      free = name + "-" + i;
    }
    return free;
  }

  /** OpenPAI joins them in the same way. */
  private static String commands(JsonNode role) {
    List<String> commands = new ArrayList<>();
    role.path("commands").forEach(command -> commands.add(command.asText().strip()));
    return String.join(" && ", commands);
  }

  /** The document of an attempt. */
  ObjectNode of(Order order) {
    ObjectNode own = settings.document();
    ObjectNode job = own == null ? plain() : own.deepCopy();
    job.put("protocolVersion", 2).put("name", order.name()).put("type", "job");
    // Another run is another attempt: OpenPAI's own would find the first one's place taken.
    job.put("jobRetryCount", 0);
    String storage = settings.storage() == null ? null : settings.storage().name();
    if (own == null && storage != null) {
      job.withObjectProperty("extras")
          .withArrayProperty("storages")
          .addObject()
          .put("name", storage);
    }
    if (job.path("secrets") instanceof ObjectNode secrets) {
      for (Map.Entry<String, JsonNode> secret : secrets.properties()) {
        String plain = opens.apply(secret.getValue().asText(), secret.getKey());
        secret.setValue(TextNode.valueOf(plain));
      }
    }
    for (Part part : parts()) {
      Keepers.Launch launch = order.launch(part);
      ObjectNode role = (ObjectNode) job.path("taskRoles").path(part.name());
      role.put("taskRetryCount", 0);
      role.putArray("commands").add(command(launch, order, own != null));
      // It opens the attempt and nothing else; still, what is here is not shown to other users.
      ObjectNode secrets = job.withObjectProperty("secrets").put(TOKEN, launch.token());
      if (!order.hidden().isEmpty()) {
        secrets.put(VARIABLES, hidden(launch, order));
      }
    }
    return job;
  }

  /**
   * The document for OpenPAI, which finds the secrets that it does not store by a line that begins
   * with this word, and their end by the next line that begins with a letter: they are shown to all
   * users where the whole document is a line of JSON.
   */
  static String yaml(ObjectNode job) {
    StringBuilder lines = new StringBuilder();
    job.properties()
        .forEach(entry -> {
          String key = entry.getKey();
          lines
              .append(PLAIN.matcher(key).matches() ? key : Json.write(key))
              .append(": ")
              .append(escaped(Json.write(entry.getValue())))
              .append('\n');
        });
    return lines.toString();
  }

  /** JSON without characters that end a line of YAML, or may not be in it. */
  private static String escaped(String json) {
    return NOT_OF_YAML
        .matcher(json)
        .replaceAll(found -> "\\\\u%04x".formatted((int) found.group().charAt(0)));
  }

  /** Shell that sets the hidden variables, in characters that mean nothing in another shell. */
  private String hidden(Keepers.Launch launch, Order order) {
    StringBuilder script = new StringBuilder();
    new TreeMap<>(Start.of(launch, settings.callback()).variables())
        .forEach((name, value) -> {
          if (order.hidden().contains(name)) {
            script.append("export %s=%s\n".formatted(name, TrialCommand.quoted(value)));
          }
        });
    return Base64.getEncoder().encodeToString(script.toString().getBytes(StandardCharsets.UTF_8));
  }

  private ObjectNode plain() {
    ObjectNode job = Json.MAPPER.createObjectNode();
    job.putArray("prerequisites")
        .addObject()
        .put("type", "dockerimage")
        .put("uri", settings.image())
        .put("name", IMAGE);
    ObjectNode role = job.putObject("taskRoles").putObject(ROLE);
    role.put("instances", 1);
    role.putObject("completion").put("minFailedInstances", 1).put("minSucceededInstances", -1);
    role.put("dockerImage", IMAGE);
    role.putObject("resourcePerInstance")
        .put("gpu", settings.gpus())
        .put("cpu", settings.cpus())
        .put("memoryMB", settings.memory());
    job.putObject("extras").put("submitFrom", "submit-job-v2");
    if (settings.virtualCluster() != null) {
      job.putObject("defaults").put("virtualCluster", settings.virtualCluster());
    }
    return job;
  }

  /**
   * Shell that becomes the keeper: one chain, since OpenPAI puts commands of deployments before and
   * after it.
   *
   * @param templated whether the user's command has places that OpenPAI fills in
   */
  private String command(Keepers.Launch launch, Order order, boolean templated) {
    Map<String, String> values = new TreeMap<>(Start.of(launch, settings.callback()).variables());
    if (settings.storage() != null) {
      values.put("ORRERY_OUTPUT_DIRECTORY", settings.storage().inContainer(order.attempt()));
    }
    values.keySet().removeAll(order.hidden());
    List<String> chain = new ArrayList<>();
    if (!order.hidden().isEmpty()) {
      chain.add(
          "eval \"$(printf %s '<% $secrets."
              + VARIABLES
              + " %>' | python3 -c 'import base64, sys;"
              + " sys.stdout.buffer.write(base64.b64decode(sys.stdin.read()))')\"");
    }
    String command = templated ? values.remove("ORRERY_COMMAND") : null;
    if (command != null) {
      // What OpenPAI fills in may hold any quote; a here-document minds none.
      chain.add("export ORRERY_COMMAND=\"$(cat <<'ORRERY_END'\n" + command + "\nORRERY_END\n)\"");
    }
    values.forEach((name, value) -> chain.add("export " + name + "=" + literal(value)));
    chain.add("export ORRERY_TRIAL_TOKEN='<% $secrets." + TOKEN + " %>'");
    chain.add(
        "export ORRERY_KEEPER_INDEX="
            + "\"${PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX:-${FC_TASK_INDEX:-0}}\"");
    List<String> words = new ArrayList<>();
    launch.command().forEach(word -> words.add(literal(word)));
    chain.add(String.join(" ", words));
    return String.join(" && ", chain);
  }

  /** A word of a shell command that OpenPAI's templates leave alone. */
  private static String literal(String text) {
    return "'" + text.replace("'", "'\\''").replace("<%", "<''%") + "'";
  }
}
