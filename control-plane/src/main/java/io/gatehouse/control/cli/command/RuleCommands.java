package io.gatehouse.control.cli.command;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.gatehouse.control.cli.resource.FieldPath;
import io.gatehouse.control.cli.resource.FieldSpec;
import io.gatehouse.control.cli.resource.FieldText;
import io.gatehouse.control.cli.resource.ResourceClient;
import io.gatehouse.control.cli.resource.ResourceClient.Changed;
import io.gatehouse.control.cli.resource.ResourceClient.Guard;
import io.gatehouse.control.cli.resource.ResourceKind;
import io.gatehouse.control.cli.resource.ResourceKinds;
import io.gatehouse.control.cli.session.CliException;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.model.net.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import picocli.CommandLine.Model.CommandSpec;

/**
 * {@code gatehouse security-group rule add|remove}: one rule at a time. The change depends on the
 * group as it was read, so that two at once lose nothing: the slower one is refused.
 */
public final class RuleCommands {
  private static final ResourceKind KIND = ResourceKinds.SECURITY_GROUP;
  private static final String RULES = "rules";

  private RuleCommands() {}

  /** Adds the word {@code rule} to those of security groups. */
  public static CommandSpec addTo(CommandSpec groups) {
    CommandSpec rule =
        CommandBuilder.group("rule", "Add and remove single rules of a security group.")
            .sub(spec("add", "Add a rule; one that is there already stays.", RuleCommands::add))
            .sub(spec("remove", "Remove a rule. Asks nothing.", RuleCommands::remove))
            .build();
    groups.addSubcommand(rule.name(), rule);
    return groups;
  }

  private static CommandSpec spec(
      String verb, String summary, BiConsumer<List<Message>, Message> edit) {
    return CommandBuilder.of(verb, summary, (arguments, session) -> run(arguments, session, edit))
        .positional(KIND.form().shape(), "Such as " + KIND.example() + ".")
        .positional("RULE", "Such as ingress,tcp,80-443,remote=10.0.0.0/24.")
        .option(
            ResourceActions.REQUEST_ID,
            "UUID",
            "Makes a repeat safe: one that has taken effect already is refused.")
        .toggle(ChangeOutput.WAIT, ChangeOutput.WAIT_HELP)
        .build();
  }

  private static ExitCode run(
      Arguments arguments, Session session, BiConsumer<List<Message>, Message> edit) {
    String name = arguments.parse(KIND.form().shape(), arguments.required(0), KIND.form()::parse);
    Message rule = rule(arguments.required(1));
    ResourceClient client = new ResourceClient(session, KIND);
    Message before = client.get(name);
    List<Message> rules = new ArrayList<>();
    ((List<?>) FieldPath.get(before, RULES)).forEach(one -> rules.add((Message) one));
    edit.accept(rules, rule);
    DynamicMessage.Builder group = KIND.named(name);
    FieldPath.set(group, RULES, rules);
    String etag = (String) FieldPath.get(before, "etag");
    Guard guard = new Guard(ResourceActions.requestId(arguments), etag);
    Changed changed = client.update(group.build(), Set.of(RULES), guard);
    return new ChangeOutput(session, arguments)
        .tell(
            "updated",
            KIND,
            name,
            changed,
            () -> new ChangeScopes(session).changed(KIND, name, Optional.of(before)));
  }

  private static void add(List<Message> rules, Message rule) {
    if (!rules.contains(rule)) {
      rules.add(rule);
    }
  }

  private static void remove(List<Message> rules, Message rule) {
    if (!rules.remove(rule)) {
      throw new CliException(ExitCode.NOT_FOUND, "the group has no rule " + FieldText.show(rule));
    }
  }

  private static Message rule(String text) {
    FieldSpec field =
        KIND.fields().stream().filter(f -> f.path().equals(RULES)).findFirst().orElseThrow();
    try {
      return (Message) field.parse(KIND.type(), text);
    } catch (InvalidValueException e) {
      throw e.within(KIND.field());
    }
  }
}
