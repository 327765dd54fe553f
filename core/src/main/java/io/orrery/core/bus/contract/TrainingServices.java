package io.orrery.core.bus.contract;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Address;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Questions about where trials can run; the orchestrator answers. */
public final class TrainingServices {
  /** All platforms that this server has, with the keys of their section in a configuration. */
  public static final Address<ListAll, Catalogue> LIST =
      new Address<>("platforms.list", ListAll.class, Catalogue.class);

  /**
   * Looks whether experiments of a configuration could run where it says, and changes nothing.
   * Refused with every finding when the configuration itself is wrong.
   */
  public static final Address<Check, Checked> CHECK =
      new Address<>("platforms.check", Check.class, Checked.class).waiting(Address.LONG);

  /**
   * Where the trials of an experiment run now, machine by machine; of one that is over, nowhere.
   */
  public static final Address<AskMachines, Machines> MACHINES =
      new Address<>("platforms.machines", AskMachines.class, Machines.class);

  private TrainingServices() {}

  public record ListAll() {}

  /**
   * The catalogue of platforms.
   *
   * @param faults why jars of the home bring no platform, by their names
   */
  public record Catalogue(List<Platform> platforms, Map<String, String> faults) {
    public Catalogue {
      platforms = List.copyOf(platforms);
      faults = Map.copyOf(faults);
    }
  }

  /**
   * A platform of the catalogue.
   *
   * @param jar of the home that brought it; null when it is the server's own
   */
  public record Platform(String name, String summary, @Nullable String jar, List<Option> options) {
    public Platform {
      options = List.copyOf(options);
    }
  }

  /**
   * A key of a platform's configuration.
   *
   * @param type in words: {@code text}, {@code integer}, {@code duration}, {@code list of text} …
   * @param standard what it is when not set, null for nothing
   * @param note why setting it does nothing here, null when it works
   * @param words what a value may be when it is one of some words, else empty
   * @param options the keys inside, when it is a section or a list of sections
   */
  public record Option(
      String name,
      String type,
      boolean required,
      @Nullable JsonNode standard,
      String meaning,
      @Nullable String note,
      List<String> words,
      List<Option> options) {
    public Option {
      words = List.copyOf(words);
      options = List.copyOf(options);
    }

    /** A key that must be set. */
    public static Option required(String name, String type, String meaning) {
      return new Option(name, type, true, null, meaning, null, List.of(), List.of());
    }

    /**
     * A key that may be left out.
     *
     * @param standard what it is then; null for nothing
     */
    public static Option optional(
        String name, String type, @Nullable JsonNode standard, String meaning) {
      return new Option(name, type, false, standard, meaning, null, List.of(), List.of());
    }
  }

  /**
   * A request to check the platform of a configuration.
   *
   * @param text the configuration, YAML or JSON, NNI v1, v2 or v3
   * @param base absolute directory that relative paths start from; null allows absolute ones only
   * @param ownership the project whose settings and environments count, and the user whose
   *     workspace it may name
   * @param serverFiles as in {@link Experiments.Create}
   */
  public record Check(
      String text, @Nullable String base, ResourceOwner ownership, boolean serverFiles) {}

  /**
   * The result of a check of a platform.
   *
   * @param items what was looked at, in the order in which it matters
   * @param notices what the author should know of the configuration, in full sentences
   */
  public record Checked(String platform, List<Item> items, List<String> notices) {
    public Checked {
      items = List.copyOf(items);
      notices = List.copyOf(notices);
    }
  }

  /**
   * A checked item.
   *
   * @param what it is, in a few words
   * @param found how it is
   * @param remedy what would make it good; null when it is
   */
  public record Item(
      String what, Verdict verdict, String found, @JsonProperty("mend") @Nullable String remedy) {
    /** As it should be. */
    public static Item good(String what, String found) {
      return new Item(what, Verdict.GOOD, found, null);
    }

    /** Perhaps in the way of some trials, or not to be known from here. */
    public static Item doubtful(String what, String found, String remedy) {
      return new Item(what, Verdict.DOUBTFUL, found, remedy);
    }

    /** No trial can run like this. */
    public static Item bad(String what, String found, String remedy) {
      return new Item(what, Verdict.BAD, found, remedy);
    }
  }

  public record AskMachines(ExperimentId experiment) {}

  /**
   * The machines of a platform.
   *
   * @param machines in the order of the configuration; empty where a platform knows of none
   */
  public record Machines(List<Machine> machines) {
    public Machines {
      machines = List.copyOf(machines);
    }
  }

  /**
   * A machine, as far as it is known now; or a service as a whole that shows none.
   *
   * @param service the platform, or the name that it has among several
   * @param name the machine's; null for the service as a whole
   * @param absence why it takes no trial now, as a clause about it; null when it takes some
   * @param since since when it has been there, or has not; null when that is unknown
   * @param heardAt when it was last heard; null when no server listens, or it never was
   * @param trials those of the experiment that have a place there
   * @param others how many trials of other experiments have one
   * @param free how many more of the experiment could start at once; null when they are not counted
   * @param gpus null when the platform does not give them out
   */
  public record Machine(
      String service,
      @Nullable String name,
      @Nullable String absence,
      @Nullable Instant since,
      @Nullable Instant heardAt,
      List<TrialId> trials,
      int others,
      @Nullable Integer free,
      @Nullable Gpus gpus) {
    public Machine {
      trials = List.copyOf(trials);
    }
  }

  /**
   * The GPUs of a machine.
   *
   * @param seenAt when they were last looked at; null when no trial has needed any yet
   * @param failure why the last look brought nothing; null when it did
   * @param devices by index
   * @param waiting how many trials wait for GPUs of this machine
   */
  public record Gpus(
      @Nullable Instant seenAt, @Nullable String failure, List<Gpu> devices, int waiting) {
    public Gpus {
      devices = List.copyOf(devices);
    }
  }

  /**
   * A device of a machine.
   *
   * @param memory in MiB; null when it does not say
   * @param trials how many hold it
   * @param trouble a fault, or who else uses it; null when there is nothing to say
   */
  public record Gpu(
      int index, String name, @Nullable Long memory, int trials, @Nullable String trouble) {}

  /** The verdict on a checked item. */
  public enum Verdict {
    GOOD,
    DOUBTFUL,
    BAD
  }
}
