package io.orrery.core.process;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Signals of the process. The one class that Java has for them, {@code sun.misc.Signal}, is
 * exported to everyone, but javac warns of its name, and this build takes warnings for errors;
 * hence by reflection.
 */
public final class Signals {
  private Signals() {}

  /**
   * Takes a signal over: the action runs each time that it arrives, on a thread of its own, and the
   * signal does nothing else.
   *
   * @param name without SIG
   * @return false when the action will not run: the process was started with the signal ignored, as
   *     by {@code nohup}, which Java leaves so; or this Java cannot take signals over, or knows
   *     none of this name
   */
  public static boolean on(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      InvocationHandler arrives =
          (proxy, method, arguments) -> {
            if (method.getName().equals("handle")) {
              action.run();
            }
            return null;
          };
      Object before =
          signal
              .getMethod("handle", signal, handler)
              .invoke(
                  null,
                  signal.getConstructor(String.class).newInstance(name),
                  Proxy.newProxyInstance(
                      handler.getClassLoader(), new Class<?>[] {handler}, arrives));
      return !handler.getField("SIG_IGN").get(null).equals(before);
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }
}
