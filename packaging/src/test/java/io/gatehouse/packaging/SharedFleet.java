package io.gatehouse.packaging;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives every test class that runs in one JVM the same {@link Fleet}, made for the first and closed
 * after the last; each test begins when all of it is healthy, whatever the one before has broken.
 */
final class SharedFleet implements ParameterResolver, BeforeEachCallback {
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Fleet.class;
  }

  @Override
  public Fleet resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return fleet(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    fleet(context).awaitHealthy();
  }

  private static Fleet fleet(ExtensionContext context) {
    // Maven hands the classes out one by one, each as a run of its own: the session holds them all.
    return context
        .getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(SharedFleet.class))
        .computeIfAbsent(Fleet.class, type -> Fleet.start(), Fleet.class);
  }
}
