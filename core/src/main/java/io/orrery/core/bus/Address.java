package io.orrery.core.bus;

/**
 * Where a question is asked, with the types of question and answer; both are records of {@code
 * core}.
 *
 * @param name unique in the product: two words with a dot between
 */
public record Address<Q, A>(String name, Class<Q> question, Class<A> answer) {
  /** The name without an owner: {@code tuners.ask}, whoever is asked. */
  String family() {
    int owner = name.indexOf('.', name.indexOf('.') + 1);
    return owner < 0 ? name : name.substring(0, owner);
  }

  /** The same address for one of several owners, such as one experiment. */
  public Address<Q, A> of(Object owner) {
    return new Address<>(name + "." + owner, question, answer);
  }
}
