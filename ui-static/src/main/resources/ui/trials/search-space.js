// What a search-space entry allows, in words and as a test.
import { number, parameter } from "../kit/format.js";

const WORDS = {
  choice: (values) => `one of ${values.map((value) => (value && value._name) || parameter(value)).join(", ")}`,
  randint: ([low, high]) => `whole, ${low} to ${high - 1}`,
  uniform: ([low, high]) => `${number(low)} to ${number(high)}`,
  loguniform: ([low, high]) => `${number(low)} to ${number(high)}, logarithmic`,
  quniform: ([low, high, step]) => `${number(low)} to ${number(high)} in steps of ${number(step)}`,
  qloguniform: ([low, high, step]) => `${number(low)} to ${number(high)} in steps of ${number(step)}, logarithmic`,
  normal: ([mean, deviation]) => `normal, ${number(mean)} ± ${number(deviation)}`,
  lognormal: ([mean, deviation]) => `log-normal, ${number(mean)} ± ${number(deviation)}`,
  qnormal: ([mean, deviation, step]) => `normal, ${number(mean)} ± ${number(deviation)} in steps of ${number(step)}`,
  qlognormal: ([mean, deviation, step]) => `log-normal, ${number(mean)} ± ${number(deviation)} in steps of ${number(step)}`,
};

/** Whether an entry is in NNI's form: a tuner of a user's own may have a space of another one. */
const isKnown = (entry) => Object.hasOwn(WORDS, entry?._type ?? "") && Array.isArray(entry._value);

export const describe = (entry) => (isKnown(entry) ? WORDS[entry._type](entry._value) : JSON.stringify(entry));

/** What a choice chooses from, as a list is narrowed by it; undefined where anything else is searched. */
export const optionsOf = (entry) =>
  isKnown(entry) && entry._type === "choice" && entry._value.every((value) => ["string", "number"].includes(typeof (value?._name ?? value)))
    ? entry._value.map((value) => value._name ?? value)
    : undefined;

/** Whether a logarithmic axis suits the parameter. */
export const isLogarithmic = (entry) => entry?._type === "loguniform" || entry?._type === "qloguniform";

export function isInside(entry, value) {
  if (!isKnown(entry)) {
    return true;
  }
  const values = entry._value;
  switch (entry._type) {
    case "choice":
      return values.some((option) => JSON.stringify(option) === JSON.stringify(value) || (option?._name !== undefined && option._name === value?._name));
    case "randint":
      return Number.isInteger(value) && value >= values[0] && value < values[1];
    case "uniform":
    case "loguniform":
    case "quniform":
    case "qloguniform":
      return typeof value === "number" && value >= values[0] && value <= values[1];
    default:
      return typeof value === "number";
  }
}
