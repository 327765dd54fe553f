// The API of the files of a person. A place is {user} for the server, or {user, notebook, archive} for the claims of a notebook
// that runs in a pod: that at /archives, or that at /mnt.
import { V1, json, query, send, upload } from "./request.js";

const at = ({ user, notebook, archive }, path, options = {}) =>
  `/files/${[user, ...path.split("/").filter(Boolean)].map(encodeURIComponent).join("/")}` + query({ ...options, notebook, archive });

export const files = {
  /** {items: [{notebook, path, archive}]}: where a person has files besides the server. */
  places: (user) => json("GET", `/file-places/${encodeURIComponent(user)}`),
  /** {items: [{name, kind, bytes, changedAt}], next, path, usedBytes?, quotaBytes?}. */
  list: (place, path, options = {}) => json("GET", at(place, path, options)),
  /** {name, kind, bytes, changedAt}. */
  stat: (place, path) => json("GET", at(place, path, { stat: true })),
  address: (place, path) => V1 + at(place, path),
  /** The content and its tag. */
  async read(place, path) {
    const response = await send("GET", V1 + at(place, path));
    return { blob: await response.blob(), tag: response.headers.get("ETag") };
  },
  /** Replaces a text, unless another has changed it since the tag was read. */
  async write(place, path, text, tag) {
    const response = await send("PUT", V1 + at(place, path), text, "application/octet-stream", tag ? { "If-Match": tag } : {});
    return response.headers.get("ETag");
  },
  /** {path, copied, files?, bytes?}. @param from {run, step}, {experiment, trial} or {model, version} */
  copy: (user, from) => json("POST", at({ user }, ""), { from }),
  makeDirectory: (place, path) => send("PUT", V1 + at(place, path, { kind: "directory" })),
  move: (place, path, to) => json("POST", at(place, path), { to }),
  delete: (place, path) => send("DELETE", V1 + at(place, path, { recursive: true })),
  /** @param progress called with the share that has been sent */
  upload: (place, path, file, progress) => upload(V1 + at(place, path), file, progress),
};
