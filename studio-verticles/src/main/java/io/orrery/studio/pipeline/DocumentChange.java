package io.orrery.studio.pipeline;

import io.orrery.core.access.ProjectName;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.RevisionCheck;
import io.orrery.core.run.PipelineName;
import org.jspecify.annotations.Nullable;

/** Checks whether a stored document may be replaced. */
final class DocumentChange {
  private DocumentChange() {}

  /**
   * Refuses a change of something that is not there, or was changed by another user.
   *
   * @param kind of the object in words
   * @param present its revision; null when it does not exist
   * @throws io.orrery.core.problem.ProblemException NotFound or Conflict
   */
  static void check(
      String kind,
      PipelineName name,
      boolean creates,
      @Nullable Long expected,
      @Nullable Long present) {
    if (present == null && !creates) {
      throw new Problem.NotFound("There is no %s %s.".formatted(kind, name)).toException();
    }
    if (present != null && creates) {
      throw new Problem.Conflict("There is a %s %s already.".formatted(kind, name)).toException();
    }
    RevisionCheck.require(
        "The %s %s".formatted(kind, name),
        expected,
        present == null ? RevisionCheck.NONE : present);
  }

  /**
   * Refuses a document that names another project.
   *
   * @throws io.orrery.core.problem.ProblemException Refused
   */
  static void checkProject(String kind, PipelineName name, String document, ProjectName present) {
    String project = Json.parse(document).path("project").asText("");
    if (!project.isEmpty() && !project.equals(present.value())) {
      throw new Problem.Refused(
              new Finding(
                  "/project",
                  "the %s %s belongs to the project %s, and stays there"
                      .formatted(kind, name, present)))
          .toException();
    }
  }
}
