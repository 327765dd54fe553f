package io.orrery.journeys;

import io.orrery.core.net.FreePort;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** A real Kafka broker, its own controller (KRaft), in this process and at 127.0.0.1. */
public final class KafkaBroker implements AutoCloseable {
  private static final int NODE = 1;

  private final Properties properties;
  private final int port;
  private KafkaRaftServer server;

  private KafkaBroker(Properties properties, int port) {
    this.properties = properties;
    this.port = port;
    this.server = run(properties);
  }

  /** Starts one that keeps its data in a folder; topics have three partitions. */
  public static KafkaBroker start(Path folder) throws Exception {
    int port = FreePort.take();
    int controller = FreePort.take();
    Properties p = new Properties();
    p.setProperty("process.roles", "broker,controller");
    p.setProperty("node.id", Integer.toString(NODE));
    p.setProperty(
        "listeners", "PLAIN://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controller);
    p.setProperty("advertised.listeners", "PLAIN://127.0.0.1:" + port);
    p.setProperty("listener.security.protocol.map", "PLAIN:PLAINTEXT,CONTROLLER:PLAINTEXT");
    p.setProperty("inter.broker.listener.name", "PLAIN");
    p.setProperty("controller.listener.names", "CONTROLLER");
    p.setProperty("controller.quorum.voters", NODE + "@127.0.0.1:" + controller);
    p.setProperty("log.dirs", folder.toString());
    p.setProperty("num.partitions", "3");
    p.setProperty("offsets.topic.num.partitions", "1");
    p.setProperty("offsets.topic.replication.factor", "1");
    p.setProperty("transaction.state.log.replication.factor", "1");
    p.setProperty("transaction.state.log.min.isr", "1");
    p.setProperty("group.initial.rebalance.delay.ms", "0");
    new Formatter()
        .setPrintStream(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
        .setClusterId(Uuid.randomUuid().toString())
        .setNodeId(NODE)
        .setControllerListenerName("CONTROLLER")
        .setMetadataLogDirectory(folder.toString())
        .addDirectory(folder.toString())
        .run();
    return new KafkaBroker(p, port);
  }

  private static KafkaRaftServer run(Properties properties) {
    KafkaRaftServer server = new KafkaRaftServer(KafkaConfig.fromProps(properties), Time.SYSTEM);
    server.startup();
    return server;
  }

  /** Where clients begin. */
  public String address() {
    return "127.0.0.1:" + port;
  }

  public void stop() {
    server.shutdown();
    server.awaitShutdown();
  }

  /** Starts it again, on the same port and data. */
  public void startAgain() {
    server = run(properties);
  }

  @Override
  public void close() {
    stop();
  }
}
