package io.orrery.benchmarks.ingest;

import io.orrery.benchmarks.child.MeasuredProcess;
import io.orrery.benchmarks.ingest.IngestBenchmark.Transport;
import io.orrery.benchmarks.ingest.peer.IngestPeer;
import io.orrery.benchmarks.ingest.peer.PostPlan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A running server of another product. */
record PeerServer(IngestPeer peer, MeasuredProcess child) implements Subject {
  @Override
  public String name() {
    return peer.name();
  }

  @Override
  public boolean syncs() {
    return peer.syncs();
  }

  @Override
  public ProcessHandle process() {
    return child.process().toHandle();
  }

  @Override
  public IngestLoad load(int batch, IngestTally tally) throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), child.port());
    List<Sender> senders = new ArrayList<>();
    for (int i = 0; i < Transport.HTTP.connections(batch); i++) {
      PostPlan post = peer.post("t" + i % IngestBenchmark.TRIALS, "c" + i);
      LineBatch lines = new LineBatch(post.form(), post.first(), batch);
      senders.add(new HttpSender(address, post.path(), lines, tally));
    }
    return new SocketLoad(senders, tally);
  }

  @Override
  public OptionalLong kept() throws IOException, InterruptedException {
    return peer.kept(child);
  }

  /** Kills it: points that it has not written yet are not needed any more. */
  @Override
  public void close() {
    child.process().destroyForcibly();
    child.close();
  }
}
