// The kinds of documents that can be written on the page.
import { html } from "lit";
import { builds } from "../api/images.js";
import { services } from "../api/services.js";
import { pipelines, templates } from "../api/pipelines.js";

const SERVICE = `kind: Service
name: hello
title: Hello
command: python3 -m http.server $PORT
ports: [8080]
health: 8080:/
stage: production
`;

const PIPELINE = `kind: Pipeline
name: first
title: First pipeline
parameters:
  count: {type: int, default: 3, range: [1, 10]}
tasks:
  - name: prepare
    command: 'echo "orrery: output rows {{parameters.count}}"'
    outputs: {rows: {value: rows}}
  - name: train
    command: echo training on {{tasks.prepare.outputs.rows}} rows
    after: [prepare]
`;

const BUILD = `kind: ImageBuild
name: tool
target: hub.example.com/vision/tool:1
dockerfile: |
  FROM docker.io/library/debian:12
  RUN apt-get update && apt-get install -y python3
`;

const TEMPLATE = `kind: Template
name: train
title: Train
command: [python3, train.py]
version: Alpha
arguments:
  Model:
    --depth: {type: int, range: [1, 20], default: 6, label: Depth}
`;

/** By the word in the address. `path` is of the collection in the API, `home` of its page; `form` draws fields for it. */
export const KINDS = {
  service: {
    word: "service",
    get: services.get,
    path: "/services",
    home: "services",
    example: SERVICE,
    deploys: true,
    form: { load: () => import("./service-form.js"), draw: (text, errors, written) => html`<service-form .text=${text} .errors=${errors} @written=${written}></service-form>` },
  },
  build: { word: "build", get: builds.get, path: "/builds", home: "builds", example: BUILD, deploys: false },
  pipeline: { word: "pipeline", get: pipelines.get, path: "/pipelines", home: "pipelines", example: PIPELINE, deploys: false },
  template: { word: "template", get: templates.get, path: "/templates", home: "templates", example: TEMPLATE, deploys: false },
};
