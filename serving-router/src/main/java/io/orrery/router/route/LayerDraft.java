package io.orrery.router.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.route.RouteLayer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The services of a layer as a document has them, checked by themselves and not yet against other
 * layers.
 *
 * @param revision of the layer in the store; 0 for one that the store does not have
 * @param document null for services that were checked before
 * @param services each at its place in the layer
 * @param indexes the index in the document of each
 * @param quotes services that the document marks as another layer's
 * @param written the services as they were written, in JSON, without layer and state
 * @param findings that were made so far; more may be added
 */
record LayerDraft(
    RouteLayer layer,
    long revision,
    @Nullable Document document,
    List<Service> services,
    int[] indexes,
    List<Quote> quotes,
    String written,
    List<Finding> findings) {
  static final String SERVICES = "services";

  /** The keys of a table at its top; GET adds the last one. */
  static final List<String> KEYS = List.of(SERVICES, "departed");

  private static final int MOST_SERVICES = 200_000;

  /**
   * A service that a document marks as another layer's: a statement that it stays as it is.
   *
   * @param node without layer and state
   */
  record Quote(RouteLayer layer, ObjectNode node, String pointer) {}

  /** Reads a document that holds nothing but services. */
  static LayerDraft read(RouteLayer layer, long revision, String text, String domain) {
    Document document = Document.read(text);
    List<Finding> findings = new ArrayList<>();
    Section root = Section.of(document.root(), "", findings, KEYS);
    if (document.root().isObject() && !root.has(SERVICES)) {
      findings.add(new Finding("", "a table has the key services, a list"));
    }
    return read(layer, revision, document, root, domain, findings);
  }

  /** Reads the services of a larger document; notes what is wrong. */
  static LayerDraft read(
      RouteLayer layer,
      long revision,
      Document document,
      Section root,
      String domain,
      List<Finding> findings) {
    ArrayNode written = JsonNodeFactory.instance.arrayNode();
    List<Service> services = new ArrayList<>();
    List<Integer> indexes = new ArrayList<>();
    List<Quote> quotes = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    Map<Integer, String> ports = new HashMap<>();
    ServiceReader reader = new ServiceReader(layer, domain, findings);
    int[] count = {0};
    root.list(
        SERVICES,
        (node, pointer) -> {
          int index = count[0]++;
          RouteLayer other = markOf(node, layer);
          if (other != null) {
            quotes.add(new Quote(other, plain((ObjectNode) node), pointer));
            return null;
          }
          Service service = reader.read(services.size(), node, pointer);
          services.add(service);
          indexes.add(index);
          if (!ids.add(service.id()) && !service.name().isEmpty()) {
            findings.add(
                new Finding(
                    Pointer.child(pointer, "name"),
                    "the service " + service.id() + " is here twice"));
          }
          Integer port = service.tcp();
          String holder = port == null ? null : ports.putIfAbsent(port, service.id());
          if (holder != null) {
            findings.add(
                new Finding(
                    Pointer.child(Pointer.child(pointer, TcpKeys.TCP), "port"),
                    "the port %d is that of %s already".formatted(port, holder)));
          }
          if (node instanceof ObjectNode object) {
            written.add(plain(object));
          }
          return null;
        });
    if (count[0] > MOST_SERVICES) {
      root.refuse(SERVICES, "a table may have " + MOST_SERVICES + " services");
    }
    return new LayerDraft(
        layer,
        revision,
        document,
        services,
        indexes.stream().mapToInt(Integer::intValue).toArray(),
        quotes,
        Json.write(written),
        findings);
  }

  /** The draft of a layer that is in a table. */
  static LayerDraft of(RouteTable table, RouteLayer layer) {
    List<Service> services = table.services(layer);
    return new LayerDraft(
        layer,
        table.revision(layer),
        null,
        services,
        IntStream.range(0, services.size()).toArray(),
        List.of(),
        table.document(layer),
        new ArrayList<>());
  }

  /** The other layer that a service is marked with; null when it belongs to this one. */
  private static @Nullable RouteLayer markOf(JsonNode node, RouteLayer own) {
    return RouteLayer.of(node.path(ServiceReader.LAYER).asText(own.word()))
        .filter(layer -> layer != own)
        .orElse(null);
  }

  private static ObjectNode plain(ObjectNode service) {
    return service.has(ServiceReader.STATE) || service.has(ServiceReader.LAYER)
        ? service.deepCopy().without(List.of(ServiceReader.STATE, ServiceReader.LAYER))
        : service;
  }

  /** The pointer of a key of a service at a place of this layer. */
  String pointer(int place, String key) {
    return "/" + SERVICES + "/" + indexes[place] + "/" + key;
  }

  /** Refuses the document with all of its findings, if there are any. */
  void refuse() {
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(document == null ? findings : document.placed(findings))
          .toException();
    }
  }
}
