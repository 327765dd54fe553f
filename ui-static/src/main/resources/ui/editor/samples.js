// Pipelines to begin with. They run on any machine with a shell and Python.

export const EMPTY = `kind: Pipeline
name: my-pipeline
tasks: []
`;

export const SAMPLES = [
  {
    id: "hello",
    title: "Two steps",
    about: "A value that one task makes and the next one uses, with a parameter.",
    text: `kind: Pipeline
name: hello
title: Two steps
parameters:
  count: {type: int, default: 3, range: [1, 10], label: How many rows}
tasks:
  - name: prepare
    command: 'echo "orrery: output rows {{parameters.count}}"'
    outputs: {rows: {value: rows}}
  - name: use
    # The lookup makes the edge.
    command: echo {{tasks.prepare.outputs.rows}} rows
`,
  },
  {
    id: "sweep",
    title: "One training for each seed",
    about: "A task that becomes several steps, and one that picks the best of them.",
    text: `kind: Pipeline
name: sweep
title: One training for each seed
parallelism: 3
tasks:
  - name: train
    each: {seed: [1, 2, 3, 4]}
    command: 'python3 -c "import random; random.seed({{each.seed}}); print(\\"orrery: output score\\", random.random())"'
    outputs: {score: {value: score}}
    retry: {attempts: 2, backoff: 5s}
  - name: pick
    command: echo the scores are {{tasks.train.outputs.score}}
`,
  },
  {
    id: "approve",
    title: "Build, ask, publish",
    about: "Files that are handed on, a condition, and a person who has to agree.",
    text: `kind: Pipeline
name: publish
title: Build, ask, publish
tasks:
  - name: build
    command: 'mkdir -p "$ORRERY_OUTPUTS/site" && date > "$ORRERY_OUTPUTS/site/index.html" && echo "orrery: output pages 1"'
    outputs: {site: {path: site/}, pages: {value: pages}}
  - name: ask
    approval: Publish the pages?
    after: [build]
  - name: publish
    command: ls -l "$ORRERY_INPUTS/site"
    inputs: {site: "{{tasks.build.outputs.site}}"}
    when: "{{tasks.build.outputs.pages}} > 0"
    after: [ask]
`,
  },
];
