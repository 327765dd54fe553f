package io.orrery.core.quota;

/**
 * An object that uses a part of a quota.
 *
 * @param kind {@code experiment}, {@code service}, {@code notebook}, {@code shell}, {@code run},
 *     {@code model}, {@code artifacts}, {@code tracked artifacts} or {@code workspace}
 * @param part of an object that uses several amounts; empty for the object itself
 */
public record QuotaObject(String kind, String name, String part) {
  public QuotaObject(String kind, String name) {
    this(kind, name, "");
  }

  @Override
  public String toString() {
    return kind + "/" + name + (part.isEmpty() ? "" : "/" + part);
  }
}
