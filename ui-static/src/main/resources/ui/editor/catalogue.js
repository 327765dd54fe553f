// What can be put on the canvas: kinds of tasks that the server knows, and templates by their groups.

const KINDS = [
  {
    id: "command",
    label: "Command",
    about: "A program that runs to its end",
    task: { command: "echo hello" },
  },
  {
    id: "experiment",
    label: "Search",
    about: "An experiment; its best parameters are outputs",
    task: {
      experiment: {
        base: "/tmp",
        config: {
          trialCommand: "echo run a trial here",
          trialCodeDirectory: ".",
          maxTrialNumber: 10,
          trialConcurrency: 2,
          searchSpace: { learning_rate: { _type: "loguniform", _value: [0.0001, 0.1] } },
          tuner: { name: "TPE", classArgs: { optimize_mode: "maximize" } },
          trainingService: { platform: "local" },
        },
      },
    },
  },
  { id: "model", label: "Register a model", about: "A version from the files of a task", task: { model: { name: "my-model", from: "" } } },
  {
    id: "service",
    label: "Deploy a service",
    about: "Kept running, and waited for until it is ready",
    task: { service: { kind: "Service", name: "my-service", command: "python3 -m http.server $PORT", ports: [8080], health: "8080:/" } },
  },
  { id: "approval", label: "Approval", about: "Waits until a person agrees", task: { approval: "Shall it go on?" } },
];

/** Items of the group that is always there. */
const OWN_GROUP = "Tasks";

/** What a task of a template begins with: its demo, and else its defaults by themselves. */
const taskOf = (template) => ({ template: template.name, ...(Object.keys(template.demo ?? {}).length > 0 ? { arguments: template.demo } : {}) });

/** [{group, items: [{id, label, about, task}]}], groups and items by their names. */
export function catalogue(templates) {
  const groups = new Map();
  for (const template of templates) {
    const group = template.group || "Other templates";
    const item = { id: `template ${template.name}`, label: template.title || template.name, about: template.describe ?? "", name: template.name, task: taskOf(template) };
    groups.set(group, [...(groups.get(group) ?? []), item]);
  }
  const named = [...groups].sort(([a], [b]) => a.localeCompare(b));
  return [
    { group: OWN_GROUP, items: KINDS.map((kind) => ({ ...kind, name: kind.id === "experiment" ? "search" : kind.id })) },
    ...named.map(([group, items]) => ({ group, items: items.sort((a, b) => a.label.localeCompare(b.label)) })),
  ];
}

/** Groups with those items alone in which every word of a text stands. */
export function found(groups, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map(({ group, items }) => ({
      group,
      items: items.filter((item) => words.every((word) => `${group} ${item.label} ${item.name} ${item.about}`.toLowerCase().includes(word))),
    }))
    .filter(({ items }) => items.length > 0);
}

/** The kind of a task in one word or two. */
export function kindOf(task) {
  if (task.template) {
    return task.template;
  }
  return KINDS.find((kind) => kind.id !== "command" && kind.id in task)?.label ?? "Command";
}

/** A name that no task has: the wish itself, or with a number. */
export function freeName(wish, taken) {
  if (!taken.has(wish)) {
    return wish;
  }
  const stem = wish.replace(/-\d+$/, "");
  let n = 2;
  while (taken.has(`${stem}-${n}`)) {
    n++;
  }
  return `${stem}-${n}`;
}

/** Tasks under names that are free, waiting for each other as the copied ones do, and for those outside that are there. */
export function copies(tasks, taken) {
  const names = new Map();
  const all = new Set(taken);
  for (const { name } of tasks) {
    const free = freeName(name, all);
    all.add(free);
    names.set(name, free);
  }
  const lookups = (text) => text.replaceAll(/(\{\{[^}]*?\btasks\.)([A-Za-z0-9_-]+)/g, (whole, start, name) => start + (names.get(name) ?? name));
  return tasks.map((task) => {
    const copy = JSON.parse(lookups(JSON.stringify(task)));
    const after = (copy.after ?? []).map((name) => names.get(name) ?? name).filter((name) => all.has(name));
    const { after: _, ...rest } = copy;
    return { ...rest, name: names.get(task.name), ...(after.length > 0 ? { after } : {}) };
  });
}
