package io.orrery.cli.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs about the catalogue of images: {@code orrery image}. */
@Command(
    name = "image",
    description = "Keep a catalogue of images, and look whether they are still the same.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class ImageCommand {
  private static final String ALL = "images";
  private static final String PRESENT = "PRESENT";

  private final Session session;

  public ImageCommand(Session session) {
    this.session = session;
  }

  @Command(
      name = "add",
      description = "Add an image with the digest that its registry has now, or take that digest.")
  int add(
      @Parameters(paramLabel = "IMAGE", description = "The full name, with host and tag.")
          String name,
      @Option(names = "--description", paramLabel = "TEXT", description = "What it is for.")
          @Nullable String description,
      @Option(names = "--project", paramLabel = "P", description = "Its project. Default: public.")
          @Nullable String project) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("name", name);
    if (description != null) {
      body.put("description", description);
    }
    print(
        List.of(
            session
                .api()
                .post(
                    Resource.of(ALL).with("project", project),
                    body.toString(),
                    "application/json")));
    return 0;
  }

  @Command(name = "list", description = "List images as they were at the last look.")
  int list(
      @Option(names = "--project", paramLabel = "P", description = "Only those of a project.")
          @Nullable String project) {
    print(session.api().list(Resource.of(ALL).with("project", project), null));
    return 0;
  }

  @Command(
      name = "check",
      description =
          "Look whether images are still in their registries; the exit code is 1 when one is not"
              + " there or not the same.")
  int check(
      @Parameters(
              paramLabel = "IMAGE",
              arity = "0..1",
              description = "Its name or id. Default: all that may be checked.")
          @Nullable String name,
      @Option(names = "--project", paramLabel = "P", description = "Only those of a project.")
          @Nullable String project) {
    List<JsonNode> checked = new ArrayList<>();
    for (JsonNode image : named(name, project)) {
      checked.add(
          session
              .api()
              .post(
                  Resource.of(ALL, image.path("id").asText(), "check"), "{}", "application/json"));
    }
    print(checked);
    return checked.stream().allMatch(image -> image.at("/state/status").asText().equals(PRESENT))
        ? 0
        : 1;
  }

  @Command(
      name = "delete",
      description = "Take an image out of the catalogue; the registry keeps it.")
  int delete(
      @Parameters(paramLabel = "IMAGE", description = "Its name or id.") String name,
      @Option(names = "--project", paramLabel = "P", description = "Its project.")
          @Nullable String project) {
    List<JsonNode> found = named(name, project);
    if (found.size() > 1) {
      throw CommandFailure.refused(
          "several projects have the image " + name + ": name one with --project");
    }
    session.api().delete(Resource.of(ALL, found.getFirst().path("id").asText()));
    return 0;
  }

  /** The images of a name or id; all when none is given. */
  private List<JsonNode> named(@Nullable String name, @Nullable String project) {
    List<JsonNode> all = session.api().list(Resource.of(ALL).with("project", project), null);
    if (name == null) {
      return all;
    }
    List<JsonNode> found =
        all.stream()
            .filter(image ->
                image.path("name").asText().equals(name) || image.path("id").asText().equals(name))
            .toList();
    if (found.isEmpty()) {
      throw CommandFailure.failed("there is no image " + name + ": see orrery image list");
    }
    return found;
  }

  private void print(List<JsonNode> images) {
    if (session.json()) {
      session.print(images);
      return;
    }
    Table table =
        new Table(
            Column.text("IMAGE"),
            Column.text("PROJECT"),
            Column.text("STATUS"),
            Column.text("DIGEST"),
            Column.text("CHECKED"),
            Column.text("REASON"));
    images.forEach(image ->
        table.row(
            image.path("name").asText(),
            image.path("project").asText(),
            image.at("/state/status").asText(),
            image.path("digest").asText(),
            image.at("/state/checkedAt").asText(),
            image.at("/state/reason").asText("-")));
    table.print(session.terminal());
  }
}
