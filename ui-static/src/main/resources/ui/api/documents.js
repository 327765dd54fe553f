// Documents of services, pipelines and the like, sent as they were written.
import { V1, onlyForOrNew, query, send } from "./request.js";

export const documents = {
  /**
   * Creates or changes an object.
   * @param path of its collection; @param text its document, YAML or JSON
   * @param options dryRun to check only; revision that the change starts from, null for any; the project of a new one that
   *   names none; together: names of services that count as there at a check
   */
  async put(path, name, text, { dryRun = false, revision = null, isNew = false, project = null, together = null } = {}) {
    const headers = onlyForOrNew(revision, isNew);
    const response = await send("PUT", `${V1}${path}/${encodeURIComponent(name)}` + query({ dryRun, project, together }), text, "application/yaml", headers);
    return response.json();
  },
};
