package io.gatehouse.control.cli.command;

import io.gatehouse.control.cli.resource.FieldSpec;
import io.gatehouse.control.cli.resource.FieldText;
import io.gatehouse.control.cli.resource.ResourceKind;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;

/** {@code create, get, list, update, delete} of one kind. */
public final class ResourceCommands {
  private final ResourceKind kind;
  private final ResourceActions actions;

  private ResourceCommands(ResourceKind kind) {
    this.kind = kind;
    this.actions = new ResourceActions(kind);
  }

  /** The kind's word with the five commands below it. */
  public static CommandSpec of(ResourceKind kind) {
    ResourceCommands commands = new ResourceCommands(kind);
    return CommandBuilder.group(
            kind.word(), "Create, read, change and delete " + kind.noun() + "s.")
        .sub(commands.createSpec())
        .sub(commands.getSpec())
        .sub(commands.listSpec())
        .sub(commands.updateSpec())
        .sub(commands.deleteSpec())
        .build();
  }

  private CommandSpec createSpec() {
    CommandBuilder command = withName("create", "Create a " + kind.noun() + ".", actions::create);
    kind.fields().forEach(field -> addFlag(command, field));
    return changing(command).build();
  }

  private CommandSpec getSpec() {
    return withName("get", "Show one " + kind.noun() + ".", actions::get).build();
  }

  private CommandSpec listSpec() {
    String summary = "List " + kind.noun() + "s, all pages, ordered by name.";
    CommandBuilder command = CommandBuilder.of("list", summary, actions::list);
    if (kind.form().parentLevels() > 0) {
      command.optionalPositional("OWNER", "Only below this; left out, or - for a part: all.");
    }
    return command
        .option(
            ResourceActions.FILTER, "TERMS", "Such as 'display_name = \"x\" AND name != \"y\"'.")
        .build();
  }

  private CommandSpec updateSpec() {
    String summary = "Change the given fields of a " + kind.noun() + ", and no others.";
    CommandBuilder command = withName("update", summary, actions::update);
    actions.changeable().forEach(field -> addFlag(command, field));
    return changing(withEtag(command)).build();
  }

  private CommandSpec deleteSpec() {
    String summary = "Delete a " + kind.noun() + ". Asks nothing.";
    return changing(withEtag(withName("delete", summary, actions::delete))).build();
  }

  private void addFlag(CommandBuilder command, FieldSpec field) {
    var descriptor = field.field(kind.type());
    switch (descriptor.getJavaType()) {
      case ENUM ->
          command.option(
              field.flag(),
              descriptor.getName().replaceAll(".*_", "").toUpperCase(Locale.ROOT),
              FieldText.words(descriptor.getEnumType()) + ". " + field.help());
      case INT -> command.option(field.flag(), "N", field.help());
      case MESSAGE ->
          command.repeatedOption(field.flag(), "VALUE", field.help() + " May be repeated.");
      default -> {
        if (descriptor.isRepeated()) {
          command.listOption(field.flag(), "VALUE", field.help() + " May be repeated.");
          return;
        }
        command.option(field.flag(), "VALUE", field.help());
      }
    }
  }

  private CommandBuilder withName(String verb, String summary, Action action) {
    return CommandBuilder.of(verb, summary, action)
        .positional(
            kind.form().shape(),
            "Such as " + kind.example() + ", or the full " + kind.form().parse(kind.example()));
  }

  private static CommandBuilder withEtag(CommandBuilder command) {
    return command.option(ResourceActions.ETAG, "ETAG", "Refuse unless this is the current etag.");
  }

  private static CommandBuilder changing(CommandBuilder command) {
    return command
        .option(
            ResourceActions.REQUEST_ID,
            "UUID",
            "Makes a repeat of this change safe; left out: a fresh one.")
        .toggle(ChangeOutput.WAIT, ChangeOutput.WAIT_HELP);
  }
}
