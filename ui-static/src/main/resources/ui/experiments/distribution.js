// How the values of a parameter are distributed before anything is learnt: shares of bins, for a picture, and in words.

const BINS = 40;
/** The most values of a grid that get a bar each. */
const MOST_STEPS = 60;

/** The error function, to seven digits (Abramowitz and Stegun 7.1.26). */
function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) * Math.exp(-x * x);
  return Math.sign(x) * (1 - tail);
}

const normal = (mean, deviation) => (x) => (1 + erf((x - mean) / (deviation * Math.SQRT2))) / 2;

/** {below: the share of values up to x, low, high, step} of a type that is not a choice; null when its values do not make one. */
function shapeOf({ _type: type, _value: values }) {
  if (typeof type !== "string" || !Array.isArray(values) || values.length < 2 || !values.every((value) => typeof value === "number" && Number.isFinite(value))) {
    return null;
  }
  const [a, b, q] = values;
  const isGrid = type.startsWith("q");
  const step = type === "randint" ? 1 : isGrid ? q : null;
  if (isGrid && !(q > 0)) {
    return null;
  }
  switch (type.replace(/^q/, "")) {
    case "uniform":
      return a < b ? { below: (x) => limited((x - a) / (b - a)), low: a, high: b, step } : null;
    case "randint":
      // The high end is not included; each whole number has the room around it.
      return b - a >= 1 ? { below: (x) => limited((x - a + 0.5) / (b - a)), low: a, high: b - 1, step } : null;
    case "loguniform":
      return a > 0 && a < b ? { below: (x) => (x <= a ? 0 : limited(Math.log(x / a) / Math.log(b / a))), low: a, high: b, step } : null;
    case "normal":
      return b > 0 ? { below: normal(a, b), low: a - 3 * b, high: a + 3 * b, step } : null;
    case "lognormal":
      return b > 0 ? { below: (x) => (x <= 0 ? 0 : normal(a, b)(Math.log(x))), low: Math.exp(a - 2 * b), high: Math.exp(a + 2 * b), step } : null;
    default:
      return null;
  }
}

const limited = (share) => Math.min(1, Math.max(0, share));

/**
 * @returns {bars: [{from, to, share}], labels: [low, high]}; a choice has a bar for each option, a grid for each of its
 *   values where they are few; null when the values are not right yet
 */
export function distributionOf(entry) {
  if (entry?._type === "choice") {
    const options = Array.isArray(entry._value) ? entry._value : [];
    return options.length === 0
      ? null
      : { bars: options.map((option, at) => ({ from: at, to: at + 1, share: 1 / options.length })), labels: [nameOf(options[0]), nameOf(options.at(-1))] };
  }
  const shape = shapeOf(entry ?? {});
  if (shape === null) {
    return null;
  }
  const { low, high, step } = shape;
  const count = step === null ? Infinity : Math.floor((high - low) / step + 1e-9) + 1;
  const bars = count <= MOST_STEPS ? steps(shape, entry._type) : bins(shape);
  // A grid may have no value between its ends.
  return bars.length === 0 ? null : { bars, labels: [short(low), short(high)] };
}

const nameOf = (option) => (typeof option === "object" && option !== null ? String(option._name ?? JSON.stringify(option)) : String(option));

function bins({ below, low, high }) {
  return Array.from({ length: BINS }, (_, at) => {
    const [from, to] = [low + ((high - low) * at) / BINS, low + ((high - low) * (at + 1)) / BINS];
    return { from, to, share: below(to) - below(from) };
  });
}

/** A bar for each value of a grid, of what is rounded to it. */
function steps({ below, low, high, step }, type) {
  const first = type === "randint" ? low : Math.round(low / step) * step;
  const values = [];
  for (let value = first; value <= high + step * 1e-9; value += step) {
    values.push(value);
  }
  return values.map((value, at) => {
    const from = at === 0 ? -Infinity : value - step / 2;
    const to = at === values.length - 1 ? Infinity : value + step / 2;
    return { from: value - step / 2, to: value + step / 2, share: below(to) - below(from) };
  });
}

/** What half of the values are below, and where nearly all of them are. */
export function inWords(entry) {
  if (entry?._type === "choice") {
    const count = Array.isArray(entry._value) ? entry._value.length : 0;
    return count === 0 ? "" : `${count} option${count === 1 ? "" : "s"}, each as likely`;
  }
  const shape = shapeOf(entry ?? {});
  if (shape === null) {
    return "";
  }
  const at = (share) => short(quantile(shape, share));
  return `half below ${at(0.5)}, nine in ten from ${at(0.05)} to ${at(0.95)}`;
}

function quantile({ below, low, high }, share) {
  let [from, to] = [Math.min(low, 0) - Math.abs(high - low), high + Math.abs(high - low)];
  for (let round = 0; round < 80; round++) {
    const middle = (from + to) / 2;
    [from, to] = below(middle) < share ? [middle, to] : [from, middle];
  }
  return to;
}

/** A number in three digits. */
function short(value) {
  const rounded = Number(value.toPrecision(3));
  return rounded !== 0 && (Math.abs(rounded) < 0.001 || Math.abs(rounded) >= 100_000) ? rounded.toExponential() : String(rounded);
}
