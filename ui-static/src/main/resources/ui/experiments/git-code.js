// The fields of code that comes from a Git repository.
import { html, nothing } from "lit";
import { icon } from "../kit/icons.js";

/** Whether the code of a configuration is described as a repository. */
export const isFromGit = (code) => code !== null && typeof code === "object" && "git" in code;

/** The description with one key changed; an empty one is left out, but for what it needs. */
export const withKey = (code, key, text) => {
  const changed = { ...code, [key]: text };
  if (text === "" && key !== "git" && key !== "ref") {
    delete changed[key];
  }
  return changed;
};

const FIELDS = [
  ["git", "Git repository", "three", "https://example.com/team/code.git", ""],
  ["ref", "Branch, tag or commit", "three", "main", ""],
  ["directory", "Directory in it", "three", "", "Empty: all of it."],
  ["secret", "Secret", "three", "secret:git-token", "Of the project: USER:PASSWORD, or a token. Empty: none."],
];

/**
 * The fields.
 * @param code the description
 * @param change is told the new one, or a directory in its place
 * @param faultAt gives what is wrong at pointers
 */
export const gitFields = (code, change, faultAt) => html`
  ${FIELDS.map(([key, label, span, sample, hint]) => {
    const fault = faultAt(`/trialCodeDirectory/${key}`);
    return html`<label class="field ${span}"><span>${label}</span>
      <input name="code-${key}" spellcheck="false" autocomplete="off" placeholder=${sample} aria-invalid=${fault ? "true" : "false"}
        .value=${String(code[key] ?? "")} @input=${(event) => change(withKey(code, key, event.target.value.trim()))}>
      ${fault ? html`<span class="fault">${fault}</span>` : hint ? html`<small>${hint}</small>` : nothing}</label>`;
  })}
  <div class="field six"><div class="toolbar">
    <button type="button" class="small" @click=${() => change("")}>${icon("close")}Take a directory instead</button>
    <small>It is fetched into your files when the experiment starts, below code/.</small></div>
    ${faultAt("/trialCodeDirectory") && !FIELDS.some(([key]) => faultAt(`/trialCodeDirectory/${key}`)) ? html`<span class="fault">${faultAt("/trialCodeDirectory")}</span>` : nothing}</div>`;

/** The button that begins a description. */
export const gitButton = (change) => html`<button type="button" class="small" @click=${() => change({ git: "", ref: "main" })}>From a Git repository…</button>`;
