// Where to read on.
import { html } from "lit";
import { Piece, define } from "../kit/piece.js";
import { openShortcutSheet } from "../shell/shortcut-sheet.js";

class AboutPage extends Piece {
  connectedCallback() {
    super.connectedCallback();
    document.title = "Help · Orrery";
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
          <li><a href="/docs">Reference</a> <span class="soft">of every address, with its parameters and answers</span></li>
          <li><a href="/openapi.yaml">openapi.yaml</a> <span class="soft">the same for programs (OpenAPI 3.1)</span></li>
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
      <p class="faint small">Orrery ${document.querySelector("meta[name=version]").content}, licensed under Apache-2.0. This page uses Lit (BSD-3-Clause) and Apache ECharts (Apache-2.0).</p>
    </div>`;
  }
}

define("about-page", AboutPage);
