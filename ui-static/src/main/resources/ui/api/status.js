// The API of the server's own state.
import { json } from "./request.js";

/** {status, at}; for administrators {version, sandbox, checks, servers, storage, retention} as well. */
export const serverStatus = () => json("GET", "/status");
