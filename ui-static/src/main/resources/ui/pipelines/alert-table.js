// The alerts about a run or a schedule, and what became of each.
import { html } from "lit";
import { fullTime, time } from "../kit/format.js";
import { pill } from "../kit/status.js";

export const alertTable = (alerts) => html`<div class="card flush"><table class="objects" aria-label="Alerts">
  <thead><tr><th>Alert</th><th>To</th><th>State</th><th>Outcome</th><th class="right">Attempts</th><th>Next</th></tr></thead>
  <tbody>${alerts.map((alert) => html`<tr data-alert=${alert.id}>
    <td title=${fullTime(alert.createdAt)}>${pill(alert.status)}</td>
    <td class="small wrap" data-label="To">${alert.mail ?? "webhook"}</td>
    <td class="small" data-label="State">${alert.state.toLowerCase().replace("_", " ")}</td>
    <td class="small wrap soft">${alert.outcome ?? ""}</td>
    <td class="right number soft" data-label="Attempts">${alert.attempts}</td>
    <td class="small soft number" data-label="Next">${alert.nextAt ? time(alert.nextAt) : ""}</td></tr>`)}</tbody>
</table></div>`;
