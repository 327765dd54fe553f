// What a stream tells while an answer is on its way: the answer may be older, and must not take it back.

export class News {
  #collecting = new Set();

  /**
   * Notes what the stream told.
   * @param told fields of the thing with this id; null when it was deleted
   */
  note(id, told) {
    for (const news of this.#collecting) {
      news.set(id, told && { ...news.get(id), ...told });
    }
  }

  /**
   * Sends a request. `take(answer, newer)` is called with its answer; `newer(thing)` is the thing as it is now:
   * with what was told of it meanwhile, and null when it was deleted.
   */
  async during(request, take) {
    const news = new Map();
    this.#collecting.add(news);
    try {
      const answer = await request();
      return take(answer, (thing) => (news.get(thing.id) === null ? null : { ...thing, ...news.get(thing.id) }), news);
    } finally {
      this.#collecting.delete(news);
    }
  }
}
