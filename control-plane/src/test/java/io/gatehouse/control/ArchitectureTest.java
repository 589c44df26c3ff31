package io.gatehouse.control;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "io.gatehouse.control",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String[] PURE = {"..control.image..", "..control.decide.."};

  @ArchTest
  static final ArchRule pureCodeUsesOnlyPlainJava =
      classes()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java.lang",
              "java.lang.invoke",
              "java.lang.runtime",
              "java.math",
              "java.nio.charset",
              "java.security",
              "java.time",
              "java.util",
              "java.util.function",
              "java.util.regex",
              "java.util.stream",
              "org.jspecify.annotations",
              "org.pcollections",
              "io.gatehouse.model..",
              "..control.image..",
              "..control.decide..")
          .because("a decision is a function of the image and the command");

  @ArchTest
  static final ArchRule pureCodeTouchesNoAmbientState =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(
              System.class,
              Thread.class,
              Runtime.class,
              ProcessBuilder.class,
              java.util.Random.class,
              java.util.SplittableRandom.class,
              java.util.Timer.class,
              java.time.Clock.class,
              java.time.InstantSource.class,
              java.security.SecureRandom.class)
          .orShould()
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .callMethod(java.util.UUID.class, "randomUUID")
          .orShould()
          .callMethod(Math.class, "random")
          .because("time, chance and the host are arguments, or they cannot be tested");

  @ArchTest
  static final ArchRule theImageKnowsNoDecision =
      noClasses()
          .that()
          .resideInAPackage("..control.image..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("..control.decide..");

  @ArchTest
  static final ArchRule theJournalKnowsNoDecision =
      noClasses()
          .that()
          .resideInAPackage("..control.journal..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("..control.decide..", "..control.sequencer..", "..control.api..");

  @ArchTest
  static final ArchRule onlyJournalAndStatusesKnowSql =
      noClasses()
          .that()
          .resideOutsideOfPackages("..control.journal..", "..control.fleet..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.sql..", "javax.sql..", "com.zaxxer..", "org.postgresql..");

  @ArchTest
  static final ArchRule aProjectionIsComputedFromTheImageAlone =
      noClasses()
          .that()
          .resideInAPackage("..control.publish.projection..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.grpc..", "java.io..", "java.util.concurrent..", "..control.sequencer..")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(java.time.Instant.class, "now");

  @ArchTest
  static final ArchRule theAgentIsAnotherProgram =
      noClasses().should().dependOnClassesThat().resideInAPackage("io.gatehouse.agent..");

  @ArchTest
  static final ArchRule noCycles =
      slices().matching("io.gatehouse.control.(*)..").should().beFreeOfCycles();

  @ArchTest
  static void twentyTypesAPackageAreEnough(com.tngtech.archunit.core.domain.JavaClasses imported) {
    imported.stream()
        .filter(JavaClass::isTopLevelClass)
        .filter(type -> !type.getSimpleName().equals("package-info"))
        .collect(
            java.util.stream.Collectors.groupingBy(
                JavaClass::getPackageName, java.util.stream.Collectors.counting()))
        .forEach(
            (name, count) ->
                org.assertj.core.api.Assertions.assertThat(count)
                    .as("types in " + name)
                    .isLessThanOrEqualTo(20));
  }
}
