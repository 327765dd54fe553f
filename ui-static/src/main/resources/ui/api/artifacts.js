// The API of uploaded files, which are named by their content.
import { V1, send, upload } from "./request.js";

const at = (digest) => `${V1}/artifacts/${digest}`;

export const artifacts = {
  /** Whether the server has a file of this digest. */
  has: (digest) =>
    send("GET", at(digest)).then(
      () => true,
      (refusal) => (refusal.status === 404 ? false : Promise.reject(refusal)),
    ),
  /** @param progress called with the share that has been sent */
  upload: (digest, content, progress) => upload(at(digest), content, progress),
};
