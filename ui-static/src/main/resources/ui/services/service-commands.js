// What can be done to a service on one of its stages.
import { html, nothing } from "lit";
import { services } from "../api/services.js";
import { confirm } from "../kit/confirm.js";
import { icon } from "../kit/icons.js";
import { attempt } from "../shell/toasts.js";
import { STAGES } from "./service-status.js";

const isDeployed = (stage) => stage.status !== "OFFLINE" && stage.status !== "STOPPING";

/** @param done called after a command was accepted */
export function commandButtons(service, stage, done) {
  const run = async (command, options, words) => {
    if ((await attempt(() => services.command(service.name, command, options), words)) !== null) {
      done();
    }
  };
  const name = stage.stage ?? STAGES[0];
  if (!isDeployed(stage)) {
    return html`<button type="button" class="primary" data-command="deploy"
      @click=${() => run("deploy", { stage: name }, `Deploying on ${name}`)}>${icon("play")}Deploy</button>`;
  }
  return html`
    ${service.revision > stage.revision
      ? html`<button type="button" class="primary" data-command="deploy" title="Replace revision ${stage.revision} by ${service.revision}"
          @click=${() => run("deploy", { stage: name }, `Deploying revision ${service.revision}`)}>${icon("up")}Deploy revision ${service.revision}</button>`
      : nothing}
    ${replicaForm(stage, (replicas) => run("scale", { stage: name, replicas }, `Scaling to ${replicas}`))}
    <button type="button" data-command="restart" title="Start new replicas, then stop the present ones"
      @click=${() => run("restart", { stage: name }, "Restarting: new replicas first")}>${icon("retry")}Restart</button>
    ${service.revision > 1
      ? html`<button type="button" data-command="rollback" @click=${() => rollBack(service, run)}>${icon("undo")}Roll back</button>`
      : nothing}
    <button type="button" data-command="clear" @click=${() => clear(service, name, run)}>${icon("stop")}Stop</button>`;
}

const replicaForm = (stage, scale) => html`<form class="inline" @submit=${(event) => {
  event.preventDefault();
  scale(Number(new FormData(event.target).get("replicas")));
}}>
  <label><span class="unseen">Replicas</span><input type="number" name="replicas" min="0" max="1000" required .value=${String(stage.wanted)}></label>
  <button data-command="scale">Scale</button>
</form>`;

async function clear(service, stage, run) {
  const agreed = await confirm({
    title: `Stop ${service.name} on ${stage}?`,
    text: "Its replicas are drained and stopped; its address answers no more. The document stays, and it can be deployed again.",
    action: "Stop",
  });
  if (agreed) {
    await run("clear", { stage }, "Stopping: requests in flight are finished first");
  }
}

async function rollBack(service, run) {
  const agreed = await confirm({
    title: `Roll ${service.name} back?`,
    text: `The document of revision ${service.revision - 1} becomes the present one again, as revision ${service.revision + 1}, and is deployed.`,
    action: "Roll back",
  });
  if (agreed) {
    await run("rollback", {}, "Rolling back: new replicas first");
  }
}

/** Answers whether it was deleted. */
export async function remove(service) {
  const agreed = await confirm({
    title: `Delete ${service.name}?`,
    text: "It is stopped on every stage, and its document with all revisions is deleted for good.",
    action: "Delete",
  });
  return agreed && (await attempt(async () => (await services.remove(service.name), true), `${service.name} deleted`)) === true;
}
