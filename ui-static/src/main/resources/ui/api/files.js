// The API of the files of a person.
import { V1, json, query, send, upload } from "./request.js";

const at = (user, path) => `/files/${[user, ...path.split("/").filter(Boolean)].map(encodeURIComponent).join("/")}`;

export const files = {
  /** {items: [{name, kind, bytes, changedAt}], next, path, usedBytes?, quotaBytes?}. */
  list: (user, path, options = {}) => json("GET", at(user, path) + query(options)),
  /** {name, kind, bytes, changedAt}. */
  stat: (user, path) => json("GET", at(user, path) + "?stat=true"),
  address: (user, path) => V1 + at(user, path),
  /** The content and its tag. */
  async read(user, path) {
    const response = await send("GET", V1 + at(user, path));
    return { blob: await response.blob(), tag: response.headers.get("ETag") };
  },
  /** Replaces a text, unless another has changed it since the tag was read. */
  async write(user, path, text, tag) {
    const response = await send("PUT", V1 + at(user, path), text, "application/octet-stream", tag ? { "If-Match": tag } : {});
    return response.headers.get("ETag");
  },
  /** {path, copied, files?, bytes?}. @param from {run, step}, {experiment, trial} or {model, version} */
  copy: (user, from) => json("POST", at(user, ""), { from }),
  makeDirectory: (user, path) => send("PUT", V1 + at(user, path) + "?kind=directory"),
  move: (user, path, to) => json("POST", at(user, path), { to }),
  delete: (user, path) => send("DELETE", V1 + at(user, path) + "?recursive=true"),
  /** @param progress called with the share that has been sent */
  upload: (user, path, file, progress) => upload(V1 + at(user, path), file, progress),
};
