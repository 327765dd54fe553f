// A refusal of a document by the page itself, with what is wrong in it, and what comparisons of documents share.

export class DocumentFault extends Error {
  /** @param errors [{pointer, message}] */
  constructor(errors) {
    super(errors.map(({ message }) => message).join("; "));
    this.errors = errors;
  }
}

/** What a question answers; null when there is no such object. */
export const found = (question) => question.catch((refusal) => (refusal.status === 404 ? null : Promise.reject(refusal)));

/** A value with the keys of its objects in one order. */
export function sorted(value) {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key])]),
  );
}

export const isSame = (one, other) => JSON.stringify(sorted(one ?? null)) === JSON.stringify(sorted(other ?? null));

/** Whether an object differs from a document in one of the keys that the document has. */
export const differs = (present, wanted, keys) => keys.some((key) => key in wanted && !isSame(present[key], wanted[key]));

/** Runs a request about a part of a document; its findings stand there. */
export async function placed(pointer, request) {
  try {
    return await request();
  } catch (refusal) {
    if (refusal.errors === undefined) {
      throw refusal;
    }
    const errors = refusal.errors.length > 0 ? refusal.errors : [{ pointer: "", message: refusal.message }];
    throw new DocumentFault(errors.map((error) => ({ pointer: pointer + (error.pointer ?? ""), message: error.message })));
  }
}
