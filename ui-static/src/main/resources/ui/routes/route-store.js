// The table of the serving router as it is now, and what went through it since the page was opened.
// Fires "change", about once a second.
import { routes } from "../api.js";
import { Stream } from "../live/stream.js";
import { sampleOf } from "./traffic.js";

const MOST_SAMPLES = 180;
// The server speaks once a second, unless nothing happens.
const QUIET_MS = 1500;
// Figures are of this many seconds, so that they can be read.
const WINDOW = 10;

export class RouteStore extends EventTarget {
  services = null;
  /** Why there is no table: this server runs no router, for example. */
  failure = null;
  #revision = null;
  #stream = new Stream(null, { open: routes.events, ask: routes.get });
  /** By host: the state at the last sample, and the samples. */
  #before = new Map();
  #samples = new Map();
  #sampledAt = 0;
  #quiet = null;

  constructor() {
    super();
    this.#stream.addEventListener("reload", () => this.#load());
    this.#stream.addEventListener("refused", ({ detail }) => this.#fail(detail));
    this.#stream.addEventListener("states", ({ detail }) => this.#states(detail));
  }

  open() {
    this.#stream.open();
  }

  close() {
    this.#stream.close();
    clearTimeout(this.#quiet);
  }

  /** The newest last, one a second. */
  samplesOf(service) {
    return this.#samples.get(service.state.host) ?? [];
  }

  /** Those that figures are made of. */
  recent(service) {
    return this.samplesOf(service).slice(-WINDOW);
  }

  /** Puts a service's other keys in force; throws what the server refuses. */
  async change(host, keys) {
    const services = this.services.map(({ state, ...written }) => (state.host === host ? { ...written, ...keys } : written));
    try {
      this.#take(await routes.replace(services, this.#revision));
    } catch (refusal) {
      if (refusal.status === 409) {
        await this.#load();
      }
      throw refusal;
    }
  }

  async #load() {
    try {
      this.#take(await routes.get());
    } catch (refusal) {
      this.#fail(refusal);
    }
  }

  #take({ services, revision }) {
    this.services = services;
    this.#revision = revision;
    this.failure = null;
    this.#sample();
  }

  #fail(refusal) {
    this.failure = refusal;
    this.#changed();
  }

  #states({ revision, items }) {
    if (this.services === null) {
      return;
    }
    if (revision !== this.#revision) {
      this.#load();
      return;
    }
    const news = new Map(items.map((state) => [state.host, state]));
    this.services = this.services.map((service) => {
      const state = news.get(service.state.host);
      return state ? { ...service, state } : service;
    });
    this.#sample();
  }

  #sample() {
    const at = Date.now();
    const seconds = (at - this.#sampledAt) / 1000;
    // A change that this page made brings a table between two samples.
    if (seconds < 0.5) {
      this.#changed();
      return;
    }
    this.#sampledAt = at;
    const before = this.#before;
    this.#before = new Map(this.services.map(({ state }) => [state.host, state]));
    for (const [host, state] of this.#before) {
      if (before.has(host)) {
        const samples = this.#samples.get(host) ?? [];
        this.#samples.set(host, [...samples.slice(1 - MOST_SAMPLES), sampleOf(state, before.get(host), at, seconds)]);
      }
    }
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#sample(), QUIET_MS);
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
