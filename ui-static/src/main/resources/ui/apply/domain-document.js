// The document of a domain: the shares and shadows of a host, which its services make.
import { domains } from "../api/services.js";
import { DocumentFault, found, isSame } from "./document-fault.js";

const KEYS = ["kind", "name", "project", "backends", "shadows"];
const LOOK_MS = 200;
const MOST_LOOKS = 150;

function checkKeys(body) {
  const errors = Object.keys(body)
    .filter((key) => !KEYS.includes(key))
    .map((key) => ({ pointer: `/${key}`, message: `'${key}' is not a known key; a domain has name, backends and shadows` }));
  if (!Array.isArray(body.backends)) {
    errors.push({ pointer: "/backends", message: "backends is a list such as [{service: a, percent: 100}]" });
  }
  if (errors.length > 0) {
    throw new DocumentFault(errors);
  }
}

const shares = (list) => Object.fromEntries((list ?? []).map(({ service, percent }) => [service, percent]));

/**
 * Sends it, or only checks it; answers created, changed or unchanged.
 * @param hosts from the services of the same documents to their hosts: the server makes a domain when it has deployed them
 */
export async function applyDomain({ name, isNameless, body }, { dryRun, hosts }) {
  checkKeys(body);
  if (isNameless) {
    return "";
  }
  const host = name.toLowerCase();
  const isMade = [...hosts.values()].includes(host);
  let present = await found(domains.get(host));
  for (let look = 0; !dryRun && present === null && isMade && look < MOST_LOOKS; look++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    present = await found(domains.get(host));
  }
  const same = (key) => isSame(shares(present[key]), shares(body[key]));
  if (present !== null && same("backends") && (!("shadows" in body) || same("shadows"))) {
    return "unchanged";
  }
  // The server cannot check shares of services that the same documents make first.
  const isPromised = Object.keys(shares(body.backends)).some((service) => hosts.has(service) && !present?.members?.includes(service));
  if (!dryRun || !((present !== null || isMade) && isPromised)) {
    await domains.divide(host, body.backends, body.shadows, { dryRun });
  }
  return present === null ? "created" : "changed";
}
