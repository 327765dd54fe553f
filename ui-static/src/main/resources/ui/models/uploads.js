// Files of a version on their way to the server, which keeps each content once.
import { artifacts } from "../api/artifacts.js";
import { runs } from "../api/pipelines.js";
import { send } from "../api/request.js";
import { digestOf } from "../kit/sha256.js";
import { untar } from "../kit/tar.js";

export const MOST_FILES = 10_000;
const PREFIX = "sha256:";

/** The files that were chosen, by their paths in the version: the folder that holds them is no part of these. */
export const chosenFiles = (list) =>
  [...list].map((file) => ({ path: file.webkitRelativePath ? file.webkitRelativePath.replace(/^[^/]*\//, "") : file.name, content: file }));

/**
 * Uploads what the server has not yet.
 * @param files [{path, content}]; @param tell called with the number of the file and the share of it that is sent
 * @returns [{path, digest}]
 */
export async function uploaded(files, tell) {
  if (files.length === 0 || files.length > MOST_FILES) {
    throw new Error(`A version has 1 to ${MOST_FILES} files; these are ${files.length}.`);
  }
  const done = [];
  for (const { path, content } of files) {
    const at = done.length + 1;
    tell(at, 0);
    const digest = await digestOf(content);
    if (!(await artifacts.has(digest))) {
      await artifacts.upload(digest, content, (share) => tell(at, share));
    }
    done.push({ path, digest: PREFIX + digest });
  }
  return done;
}

/** The files of an archive that lie at a path: all of them without one. A file that is named itself has its last name. */
export function partOf(files, path) {
  const wanted = path.replace(/^\.?\/+|\/+$/g, "");
  if (wanted === "") {
    return files;
  }
  const one = files.find((file) => file.path === wanted);
  return one
    ? [{ ...one, path: wanted.slice(wanted.lastIndexOf("/") + 1) }]
    : files.filter((file) => file.path.startsWith(wanted + "/")).map((file) => ({ ...file, path: file.path.slice(wanted.length + 1) }));
}

/** The files of an output of a step, fetched from the server. @param output {kind} as the run shows it */
export async function outputFiles(run, step, name, output, path) {
  const blob = await (await send("GET", runs.artifactAddress(run, step, name))).blob();
  const all = output.kind === "directory" ? await untar(blob) : [{ path: name, content: blob }];
  const part = output.kind === "directory" ? partOf(all, path) : all;
  if (part.length === 0) {
    throw new Error(`The output ${name} has no file or directory ${path}.`);
  }
  return part;
}
