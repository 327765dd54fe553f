// One experiment in the list.
import { html, nothing } from "lit";
import { tagList } from "../annotations/tag-list.js";
import { duration, fullTime, lasted, number, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { menu } from "../kit/menu.js";
import { pill } from "../kit/status.js";
import { addressOf } from "../shell/router.js";
import { commandButtons } from "./commands.js";
import { progressBar, progressText } from "./progress.js";

export function experimentRow(item, { isTicked, tick, open, carryOut }) {
  const onRow = (event) => {
    if (!event.target.closest("a, button, details, .tick") && !getSelection().toString()) {
      open();
    }
  };
  return html`<tr data-id=${item.id} @click=${onRow}>
    <td class="tick"><input type="checkbox" aria-label="Tick ${item.name || item.id} to compare" .checked=${isTicked} @change=${tick}></td>
    <td class="who">
      <a class="name" href=${addressOf(item.id)}>${item.name || item.id}</a>
      <span class="faint small code">${item.id}</span>
      ${tagList(item.tags)}
      ${item.error ? html`<span class="fault clip" title=${item.error}>${item.error}</span>` : nothing}
    </td>
    <td class="status">${pill(item.status)}</td>
    <td class="how-far">${progressBar(item)}<span class="number small soft">${progressText(item)}</span></td>
    <td class="right number best" data-label="Best"
      title=${item.best ? `${item.best.metric} by trial ${item.best.trial}` : ""}>${number(item.best?.metric)}</td>
    <td class="soft small tuner" data-label="Tuner">${item.tuner}<span class="faint"> on ${item.platform}</span></td>
    <td class="soft small number" data-label="Started" title=${fullTime(item.startedAt)}>${time(item.startedAt)}</td>
    <td class="right soft small number" data-label="Duration"
      title=${item.endedAt ? `ended ${fullTime(item.endedAt)}` : ""}>${duration(lasted(item))}</td>
    <td class="right actions">
      ${menu(
        icon("more"),
        html`${commandButtons(item, carryOut)}
          <a href="#/new?from=${encodeURIComponent(item.id)}" data-closes>${icon("fork")}New one like this</a>`,
        { title: `Actions for ${item.name || item.id}`, look: "plain square small" },
      )}
    </td>
  </tr>`;
}
