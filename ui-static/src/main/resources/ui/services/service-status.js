// State of a service over all stages that it is deployed on.

/** Worst first: what needs attention stands before what is well. */
const ORDER = ["FAILED", "UNREACHABLE", "DEGRADED", "STOPPING", "STARTING", "READY", "OFFLINE"];

export const byTrouble = (a, b) => ORDER.indexOf(a.state.status) - ORDER.indexOf(b.state.status) || a.name.localeCompare(b.name);

/** Whether a service needs attention, by its status. */
export const isTroubled = (status) => ["FAILED", "UNREACHABLE", "DEGRADED"].includes(status);

/**
 * Services with those of the same model folded below one of them: the one that is deployed, and among several the one
 * that was changed last. A service in trouble is never folded.
 * @param services in the order in which they are shown
 * @returns [{service, others}]
 */
export function foldedByModel(services) {
  const leads = new Map();
  const isBefore = (a, b) =>
    (a.state.status === "OFFLINE") === (b.state.status === "OFFLINE") ? a.changedAt > b.changedAt : b.state.status === "OFFLINE";
  const folds = services.filter(({ model, state }) => model && !isTroubled(state.status));
  for (const service of folds) {
    const lead = leads.get(service.model.name);
    if (!lead || isBefore(service, lead)) {
      leads.set(service.model.name, service);
    }
  }
  const below = (lead) => folds.filter((other) => other !== lead && other.model.name === lead.model?.name);
  return services
    .filter((service) => !folds.includes(service) || leads.get(service.model.name) === service)
    .map((service) => ({ service, others: leads.get(service.model?.name) === service ? below(service) : [] }));
}

/** How many replicas of a stage answer. */
export const readyOf = (stage) => stage.replicas.filter((replica) => replica.phase === "READY").length;

/** The stages that can be deployed. */
export const STAGES = ["production", "test", "debug"];
