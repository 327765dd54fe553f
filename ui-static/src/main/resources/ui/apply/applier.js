// Makes the server hold documents, as `orrery apply` does: all are checked before the first is sent.
import { documents } from "../api/documents.js";
import { me } from "../api/people.js";
import { V1, json, send, whole } from "../api/request.js";
import { found } from "./document-fault.js";
import { applyDomain } from "./domain-document.js";
import { applyExperiment } from "./experiment-document.js";
import { applyModel } from "./model-document.js";
import { KIND_WORDS, OBJECT_KINDS } from "./object-kinds.js";
import { applyProject } from "./project-document.js";

/** Kinds that are never deleted for not being in the documents: they hold what cannot be made again, or go with others. */
const KEPT = ["Project", "Model", "Domain", "Experiment"];
const PUBLIC = "public";

const collectionOf = (kind) => `/${OBJECT_KINDS[kind].collection}`;
const addressOf = ({ kind, name }) => `${collectionOf(kind)}/${encodeURIComponent(name)}`;

/** The object that is there; null when there is none. */
export const presentOf = (manifest) => found(json("GET", addressOf(manifest)));

/** Whether a finding is about a template or a model that the same documents make first. */
function isPromised({ pointer = "" }, body, titles) {
  if (pointer.endsWith("/template")) {
    const name = pointer.split("/").slice(1).reduce((value, step) => value?.[step], body);
    return titles.has(`Template/${name}`);
  }
  return pointer.startsWith("/model/") && titles.has(`Model/${body.model?.name}`);
}

const leftOut = (body, keys) => Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)));

export class Applier {
  #project;
  #hosts = new Map();

  /** @param project of new objects that name none; empty for public */
  constructor(project) {
    this.#project = project || null;
  }

  /**
   * Checks documents in their order; nothing is stored.
   * @returns {checked: [{manifest, outcome}], findings: [{pointer, message, line}]}; an outcome is created, changed,
   *   unchanged, or empty when something is wrong
   */
  async check(manifests) {
    this.#hosts = new Map(manifests.filter(({ kind }) => kind === "Service").map(({ name, body }) => [name, String(body.host ?? "").toLowerCase()]));
    const checked = [];
    const findings = [];
    const made = { projects: new Set(), titles: new Set() };
    for (const manifest of manifests) {
      const { outcome, wrong } = await this.#checkOne(manifest, made);
      findings.push(...wrong.map((finding) => manifest.place(finding)));
      checked.push({ manifest, outcome });
    }
    return { checked, findings };
  }

  /** A project, template or model that comes with the same documents counts as there. */
  async #checkOne(manifest, made) {
    const { kind, name, title, body } = manifest;
    const without = made.projects.has(body.project) ? ["project"] : [];
    if (kind === "Project") {
      made.projects.add(name);
    } else if (kind === "Template" || kind === "Model") {
      made.titles.add(title);
    }
    try {
      return { outcome: await this.#outcome(manifest, true, without), wrong: [] };
    } catch (refusal) {
      if (refusal.errors === undefined) {
        throw refusal;
      }
      const all = refusal.errors.length > 0 ? refusal.errors : [{ pointer: "", message: refusal.message }];
      const wrong = all.filter((finding) => !isPromised(finding, body, made.titles));
      if (wrong.length > 0) {
        return { outcome: "", wrong };
      }
      return { outcome: (await presentOf(manifest)) === null ? "created" : "changed", wrong };
    }
  }

  /** Sends one that was checked; answers with what became of it: created, changed or unchanged. */
  apply(manifest) {
    return this.#outcome(manifest, false, []);
  }

  async #outcome(manifest, dryRun, without) {
    const { kind, name, body } = manifest;
    const project = body.project ? null : this.#project;
    switch (kind) {
      case "Project":
        return applyProject(manifest, { dryRun });
      case "Model":
        return applyModel({ name, body: leftOut(body, without) }, { dryRun, project });
      case "Domain":
        return applyDomain(manifest, { dryRun, hosts: this.#hosts });
      case "Experiment":
        return applyExperiment(manifest, { dryRun, without });
      default: {
        const together = dryRun && kind === "Service" ? [...this.#hosts.keys()].join(",") : null;
        return (await documents.put(collectionOf(kind), name, manifest.json(without), { dryRun, project, together })).outcome;
      }
    }
  }

  /**
   * The objects of the caller that the documents do not have any more, of their kinds and in their projects.
   * @returns [{kind, name}] in the order in which they can be deleted
   */
  async left(manifests) {
    const kept = new Set(manifests.map(({ title }) => title));
    const places = new Set(manifests.filter(({ kind }) => !KEPT.includes(kind)).map(({ kind, body }) => `${kind} ${body.project ?? this.#project ?? PUBLIC}`));
    const { user } = await me();
    const all = [];
    for (const place of places) {
      const [kind, project] = place.split(" ");
      const { items } = await whole(collectionOf(kind), { project, owner: user });
      all.push(...items.filter((item) => item.owner === user && item.project === project && !item.builtIn).map(({ name }) => ({ kind, name })));
    }
    return all
      .filter(({ kind, name }) => !kept.has(`${kind}/${name}`))
      .toSorted((one, other) => KIND_WORDS.indexOf(other.kind) - KIND_WORDS.indexOf(one.kind));
  }

  erase(object) {
    return send("DELETE", V1 + addressOf(object));
  }
}
