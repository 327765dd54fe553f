package io.orrery.gateway.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Document;
import io.orrery.core.problem.ProblemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the parts make one document in which nothing is missing, twice, or out of place. */
class OpenApiDocumentTest {
  private static final String SHARED =
      """
      # Not in the document.
      openapi: 3.1.0
      info:
        license:
          name: A
      tags:
      paths:
      components:
        parameters:
          x: {}
        schemas:
      """;

  static List<String> tags() {
    return OpenApiDocument.TAGS;
  }

  @Test
  void whatStandsBelowOneHeadingIsPutTogether() {
    OpenApiDocument document = new OpenApiDocument(SHARED);
    document.append(
        "a",
        """
        tags:
          - name: A
        paths:
          /a:
            get: {}
        components:
          schemas:
            A: {}
        """);
    document.append(
        "b",
        """
        paths:
          /b: {}
        components:
          parameters:
            y: {}
          schemas:
            # A comment stays.
            B: {}
        """);

    assertThat(document.text())
        .isEqualTo(
            """
            openapi: 3.1.0
            info:
              license:
                name: A
            tags:
              - name: A
            paths:
              /a:
                get: {}
              /b: {}
            components:
              parameters:
                x: {}
                y: {}
              schemas:
                A: {}
                # A comment stays.
                B: {}
            """);
  }

  @Test
  void aHeadingThatTheSharedPartLacksIsRefused() {
    OpenApiDocument document = new OpenApiDocument(SHARED);

    assertThatThrownBy(() -> document.append("a", "path:\n  /a: {}\n"))
        .hasMessage("a.yaml has the heading \"path:\", which shared.yaml lacks");
    assertThatThrownBy(() -> document.append("a", "components:\n  schema:\n    A: {}\n"))
        .hasMessage("a.yaml has the heading \"  schema:\", which shared.yaml lacks");
  }

  @Test
  void whatTwoPartsHaveStandsTwiceAndCannotBeRead() {
    OpenApiDocument document = new OpenApiDocument(SHARED);
    document.append("a", "paths:\n  /a: {}\n");
    document.append("b", "paths:\n  /a: {}\n");

    assertThatThrownBy(() -> Document.read(document.text())).isInstanceOf(ProblemException.class);
  }

  @Test
  void everyPartIsListed() throws Exception {
    Path folder =
        Path.of(
                Objects.requireNonNull(OpenApiDocument.class.getResource("openapi/shared.yaml"))
                    .toURI())
            .resolveSibling("");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(Stream.of(OpenApiDocument.SHARED), tags().stream())
                  .map(name -> name + ".yaml")
                  .toList());
    }
  }

  @ParameterizedTest
  @MethodSource("tags")
  void aPartHasItsTagAndNoOperationOfAnother(String name) {
    JsonNode part = Document.read(OpenApiDocument.part(name)).root();

    assertThat(part.path("tags")).hasSize(1);
    String tag = part.at("/tags/0/name").asText();
    assertThat(tag.toLowerCase(Locale.ROOT)).isEqualTo(name);
    List<JsonNode> operations = new ArrayList<>();
    part.path("paths").forEach(path -> operations.addAll(path.findParents("operationId")));
    assertThat(operations)
        .isNotEmpty()
        .allSatisfy(operation ->
            assertThat(operation.path("tags").toString()).isEqualTo("[\"" + tag + "\"]"));
  }

  @Test
  void everyReferenceLeadsToAComponentAndEveryComponentIsReferredTo() {
    // Reading refuses a path or a component that stands twice.
    JsonNode document = Document.read(OpenApiDocument.assemble()).root();

    Set<String> references =
        document.findValues("$ref").stream()
            .map(JsonNode::asText)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> components = new TreeSet<>();
    for (Map.Entry<String, JsonNode> section : document.path("components").properties()) {
      if (!section.getKey().equals("securitySchemes")) {
        section
            .getValue()
            .fieldNames()
            .forEachRemaining(
                name -> components.add("#/components/" + section.getKey() + "/" + name));
      }
    }
    assertThat(references).isEqualTo(components);
  }

  @Test
  void aCommaDoesNotEndADescription() {
    // In {description: one, two} the word after the comma is a key of its own, without a value.
    assertThat(Document.read(OpenApiDocument.assemble()).root().findParents("description"))
        .allSatisfy(described ->
            assertThat(described.properties())
                .as(described.toString())
                .noneMatch(field -> field.getKey().contains(" ") && field.getValue().isNull()));
  }
}
