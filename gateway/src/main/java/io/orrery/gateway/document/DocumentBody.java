package io.orrery.gateway.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.json.Document;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request that is the document of an object, JSON or YAML.
 *
 * @param written with its lines
 * @param json without what an answer had added
 */
public record DocumentBody(Document written, ObjectNode json) {
  private static final int MOST_TEXT = 400;

  /**
   * Reads a body.
   *
   * @param what of the document, for the answer
   * @param added the keys that answers add to a document
   * @throws io.orrery.core.problem.ProblemException Refused when it is no object
   */
  public static DocumentBody read(String text, String what, List<String> added) {
    Document document = Document.readCore(text);
    if (!(document.root() instanceof ObjectNode root)) {
      throw new Problem.Refused(new Finding("", "the body is the document of a " + what))
          .toException();
    }
    ObjectNode json = root.deepCopy();
    json.remove(added);
    return new DocumentBody(document, json);
  }

  /** A document that the server wrote itself, which has no lines to tell. */
  public static DocumentBody of(ObjectNode json) {
    return new DocumentBody(new Document(json, Map.of()), json);
  }

  /** The project that the query or the document names; null for none. */
  public @Nullable ProjectName project(RoutingContext context) {
    ProjectName asked = Query.of(context).read("project", ProjectAccess::named);
    String inside = json.path("project").asText("");
    if (inside.isEmpty()) {
      return asked;
    }
    if (!ProjectName.valid(inside)) {
      throw new Problem.Refused(new Finding("/project", "'" + inside + "' is no name of a project"))
          .toException();
    }
    return new ProjectName(inside);
  }

  /**
   * The project that the query or the document names, after what the document says about itself has
   * been compared with the address and with the object that is there.
   *
   * @param fields of the document, which take note of what is wrong
   * @param kind of the document
   * @param what the object is called
   * @param before the project of the object that is there; null when it is to be created
   * @return null for none
   */
  public @Nullable ProjectName identify(
      RoutingContext context,
      Fields fields,
      String kind,
      String what,
      String name,
      @Nullable ProjectName before) {
    String written = fields.text("name", MOST_TEXT);
    if (written != null && !written.equals(name)) {
      fields.wrong("name", "the address says " + name);
    }
    String told = fields.text("kind", MOST_TEXT);
    if (told != null && !told.equals(kind)) {
      fields.wrong("kind", "the kind is " + kind);
    }
    ProjectName project = project(context);
    if (before != null && project != null && !project.equals(before)) {
      fields.wrong("project", "%s %s belongs to %s".formatted(what, name, before));
    }
    return project;
  }

  /** An answer whose findings have the lines of the document. */
  public <T> Future<T> placed(Future<T> answer) {
    return answer.recover(failure ->
        Problem.of(failure) instanceof Problem.Refused(String detail, List<Finding> findings)
            ? Future.failedFuture(
                new Problem.Refused(detail, written.placed(findings)).toException())
            : Future.failedFuture(failure));
  }
}
