// Where to read on.
import { html, nothing } from "lit";
import { signOut, whoAmI } from "../api.js";
import { Piece, define } from "../kit/piece.js";
import { openShortcutSheet } from "../shell/shortcut-sheet.js";

class AboutPage extends Piece {
  static properties = { who: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    document.title = "Help · Orrery";
    whoAmI().then((who) => (this.who = who), () => {});
  }

  render() {
    return html`<div class="prose">
      <h1>Help</h1>
      <section class="card">
        <header><h2>What this is</h2></header>
        <p>Orrery tunes models: it searches hyper-parameters, runs the trials, and keeps every number that they report. This page shows what the
          server does as it does it; closing it stops nothing.</p>
      </section>
      <section class="card">
        <header><h2>The API</h2></header>
        <ul>
          <li><a href="docs">Reference</a> <span class="soft">of every address, with its parameters and answers</span></li>
          <li><a href="openapi.yaml">openapi.yaml</a> <span class="soft">the same for programs (OpenAPI 3.1)</span></li>
        </ul>
      </section>
      <section class="card">
        <header><h2>The command line</h2></header>
        <pre class="document">orrery experiment create experiment.yml   # start one
orrery experiment list                    # what there is
orrery trial logs --follow                # what a trial writes
orrery experiment export                  # parameters and results as a file</pre>
      </section>
      <section class="card">
        <header><h2>Keyboard</h2></header>
        <p>Press <kbd>?</kbd> on any page for what the keyboard does there, or <button type="button" class="link"
          @click=${openShortcutSheet}>see it now</button>.</p>
      </section>
      ${this.who?.required
        ? html`<section class="card">
            <header><h2>Signed in</h2></header>
            <p class="toolbar">As ${this.who.name}, who ${this.who.role === "viewer" ? "may look but change nothing" : "may do everything"}.
              <button type="button" class="small" @click=${signOut}>Sign out</button></p>
          </section>`
        : nothing}
      <p class="faint small">Orrery ${document.querySelector("meta[name=version]").content}, licensed under Apache-2.0. This page uses Lit (BSD-3-Clause) and Apache ECharts (Apache-2.0).</p>
    </div>`;
  }
}

define("about-page", AboutPage);
