package io.orrery.core.schema;

import io.orrery.core.problem.Finding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The state of reading a document: findings and notices so far. */
public final class Walk {
  private final Places places;
  private final Paths paths;
  private final UnaryOperator<String> seal;
  private final UnknownKeys unknown;
  private final List<Finding> findings = new ArrayList<>();
  private final List<String> faulty = new ArrayList<>();
  private final Set<String> notices = new LinkedHashSet<>();
  private final Set<String> excused = new HashSet<>();
  private @Nullable OlderKeys older;

  /**
   * @param seal makes of a secret what may be stored
   * @param unknown what an unknown key was meant to be
   */
  public Walk(Places places, Paths paths, UnaryOperator<String> seal, UnknownKeys unknown) {
    this.places = places;
    this.paths = paths;
    this.seal = seal;
    this.unknown = unknown;
  }

  public Places places() {
    return places;
  }

  public Paths paths() {
    return paths;
  }

  /** The document is v1: its keys are named as they are there. */
  public void isOlder(OlderKeys keys) {
    older = keys;
    keys.tell(places);
  }

  /** The keys of a v1 document; null when it is v3. */
  public @Nullable OlderKeys older() {
    return older;
  }

  /** An unknown key; the pointer of the key is the author's, that of the section canonical. */
  void unknown(String key, String own, String section, Schema schema) {
    here(own, "'" + key + "' is not a known key" + unknown.advice(key, own, section, schema, this));
  }

  /** What is stored in the place of a secret. */
  public String seal(String secret) {
    return seal.apply(secret);
  }

  /** Something is wrong with a key; the sentence begins with its name. */
  public void refuse(String pointer, String predicate) {
    say(pointer, places.name(pointer) + " " + predicate);
  }

  /** Something is wrong; the sentence stands for itself. */
  public void say(String pointer, String sentence) {
    add(new Finding(pointer, sentence));
  }

  /** Something is wrong at a place that has no canonical form; the pointer is the author's. */
  public void here(String own, String sentence) {
    faulty.add(own);
    findings.add(places.line(new Finding(own, sentence)));
  }

  public void add(Finding canonical) {
    faulty.add(canonical.pointer());
    findings.add(places.place(canonical));
  }

  public void notice(String sentence) {
    notices.add(sentence);
  }

  /** A missing key that was misspelt, or that an earlier finding explains, is not missed again. */
  public void excuse(String pointer) {
    excused.add(pointer);
  }

  public boolean excused(String pointer) {
    return excused.contains(pointer);
  }

  /** Another walk through the same document, for which one place counts as another. */
  public Walk within(String canonical, String real) {
    Walk inside = new Walk(places.within(canonical, real), paths, seal, unknown);
    inside.excused.addAll(excused);
    inside.older = older;
    return inside;
  }

  /** What a walk {@link #within} has found. */
  public void absorb(Walk inside, String canonical, String real) {
    inside.findings.stream().filter(each -> !findings.contains(each)).forEach(findings::add);
    inside.faulty.forEach(each ->
        faulty.add(
            each.startsWith(canonical + "/") ? real + each.substring(canonical.length()) : each));
    notices.addAll(inside.notices);
    places.absorb(inside.places, canonical, real);
  }

  public boolean clean() {
    return findings.isEmpty();
  }

  /** Whether something was found wrong with exactly this. */
  public boolean faultyAt(String pointer) {
    return faulty.contains(pointer);
  }

  /** Whether something was found wrong with this or a part of it. */
  public boolean faultyWithin(String pointer) {
    return faulty.stream()
        .anyMatch(known -> known.equals(pointer) || known.startsWith(pointer + "/"));
  }

  /** Canonical pointers of everything that was found wrong; an unknown key's is the author's. */
  public List<String> faulty() {
    return List.copyOf(faulty);
  }

  public List<Finding> findings() {
    return List.copyOf(findings);
  }

  public List<String> notices() {
    return List.copyOf(notices);
  }
}
