// A service on one stage: the route of a request, and its replicas with what is wrong.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { NOTHING, fullTime, time } from "../kit/format.js";
import { pill } from "../kit/status.js";
import { addressIn } from "../shell/router.js";
import { services } from "../api/services.js";
import { rolloutCommands } from "./rollout-commands.js";
import { rolloutSteps } from "./rollout-steps.js";
import { readyOf } from "./service-status.js";

/** @param done called after a command was accepted */
export function stageOverview(service, stage, done) {
  if (stage.replicas === undefined) {
    return html`<div class="card state"><h2>Not deployed</h2><p>The document is kept; nothing runs. Deploy it to start its replicas.</p></div>`;
  }
  return html`
    ${requestRoute(service, stage)}
    ${stage.rollout?.generation ? upgrade(service, stage.rollout, done) : nothing}
    <section class="card">
      <header><h2>Replicas</h2><span class="soft small number">${readyOf(stage)} of ${stage.wanted} ready · generation ${stage.generation}, revision
        ${stage.revision} · on ${stage.cluster}</span></header>
      ${stage.image ? html`<p class="soft small">Image of build ${service.imageOf}: <span class="code">${stage.image}</span></p>` : nothing}
      ${stage.replicas.length === 0
        ? html`<p class="soft small">${stage.wanted === 0 ? "Scaled to zero: the first request starts one." : "None yet."}</p>`
        : html`<ul class="replicas">${repeat(stage.replicas, (replica) => replica.id, (replica) => replicaRow(service, stage, replica))}</ul>`}
    </section>`;
}

/** The rollout by which a generation takes over from an earlier one. */
const upgrade = (service, rollout, done) => html`${rolloutSteps(
  rollout,
  html`<div class="toolbar">${rolloutCommands(
    rollout,
    {
      pause: () => services.rollout(service.name, "pause"),
      resume: () => services.rollout(service.name, "resume"),
      promote: () => services.rollout(service.name, "promote"),
      abort: () => services.rollout(service.name, "abort"),
    },
    `Generation ${rollout.from} gets all requests again at once, and its revision is deployed again.`,
    done,
  )}</div>`,
)}${rollout.reason ? html`<p class=${rollout.state === "ROLLED_BACK" ? "trouble" : "reason"} role="status">${rollout.reason}</p>` : nothing}`;

const replicaRow = (service, stage, replica) => html`<li data-replica=${replica.id}>
  <div class="line">
    <a class="name code" href="${addressIn("services", service.name, "log")}?stage=${stage.stage}&replica=${replica.id}"
      title="Log of replica ${replica.id}">${replica.id}</a>
    ${pill(replica.phase)}
    <span class="code small soft">${replica.endpoint ?? NOTHING}</span>
    <span class="small soft number">${replica.restarts === 0 ? "never restarted" : `restarted ${replica.restarts} time${replica.restarts === 1 ? "" : "s"}`}${replica.exitCode === null ? "" : `, last exit code ${replica.exitCode}`}</span>
    <span class="small faint end" title=${fullTime(replica.since)}>since ${time(replica.since)}</span>
  </div>
  ${replica.reason ? html`<p class="reason ${["BACKOFF", "FAILED"].includes(replica.phase) ? "bad" : ""}">${replica.reason}</p>` : nothing}
  ${replica.lastLines.length > 0 ? html`<pre class="document" role="region" aria-label="The last lines of replica ${replica.id}">${replica.lastLines.join("\n")}</pre>` : nothing}
</li>`;

/** Host, service, replicas: the route that a request takes. */
const requestRoute = (service, stage) => html`<section class="card" aria-label="Route of a request">
  <header><h2>Route of a request</h2></header>
  <ol class="way">
    <li><span class="soft small">Addresses</span>${stage.addresses.map(
      (address) => html`<a class="code small" href=${address} target="_blank" rel="noopener">${address}</a>`,
    )}${service.host ? html`<a class="small" href=${addressIn("domains", service.host)}>shared domain</a>` : nothing}</li>
    <li><span class="soft small">Router</span><span class="small">${wordsOf(service)}</span></li>
    <li><span class="soft small">Replicas that are ready</span>${stage.replicas
      .filter((replica) => replica.phase === "READY")
      .map((replica) => html`<span class="code small">${replica.endpoint}</span>`)}${readyOf(stage) === 0
      ? html`<span class="small ${service.hold || service.replicas?.min === 0 ? "" : "bad"}">${service.hold || service.replicas?.min === 0
          ? "none: requests wait for the first"
          : "none: requests are answered with 503"}</span>`
      : nothing}</li>
  </ol>
</section>`;

const wordsOf = (service) =>
  [
    service.balance ? `balance ${service.balance}` : "least requests in flight",
    service.timeout ? `timeout ${service.timeout}` : null,
    service.retries ? `retries` : null,
    service.shadow ? `copies to ${service.shadow}` : null,
  ]
    .filter(Boolean)
    .join(" · ");
