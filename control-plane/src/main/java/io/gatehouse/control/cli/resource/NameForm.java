package io.gatehouse.control.cli.resource;

import io.gatehouse.model.net.InvalidValueException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The names of a kind. People may leave out the collections: {@code acme/blue/web-1} stands for
 * {@code tenants/acme/networks/blue/ports/web-1}.
 *
 * @param collections from the root, such as {@code tenants, networks}
 * @param rootless the collection of those that have no parent, if there are such; else empty
 * @param check refuses a full name that is not well formed
 */
public record NameForm(List<String> collections, String rootless, Consumer<String> check) {
  private static final String ANY = "-";

  /** A kind whose resources all have the same kind of parent. */
  NameForm(List<String> collections, Consumer<String> check) {
    this(collections, "", check);
  }

  /** The full name for a full or short one. */
  public String parse(String text) {
    String[] parts = text.split("/", -1);
    if (!rootless.isEmpty() && isRootless(parts)) {
      String full = rootless + "/" + parts[parts.length - 1];
      check.accept(full);
      return full;
    }
    if (parts.length != collections.size() && parts.length != 2 * collections.size()) {
      throw new InvalidValueException("name", text, "is not of the form " + shape());
    }
    String full = parts.length == collections.size() ? join(parts) : text;
    check.accept(full);
    return full;
  }

  /** The ids of a full name, joined by slashes. */
  public String shorten(String full) {
    String[] parts = full.split("/", -1);
    if (!rootless.isEmpty() && isRootless(parts)) {
      return parts[1];
    }
    if (parts.length != 2 * collections.size()) {
      return full;
    }
    StringBuilder ids = new StringBuilder(parts[1]);
    for (int i = 3; i < parts.length; i += 2) {
      ids.append('/').append(parts[i]);
    }
    return ids.toString();
  }

  /**
   * The parent to list: ids that are missing at the end, and "-", stand for all. For a kind without
   * a parent the text must be empty.
   *
   * @param text such as {@code acme}, {@code acme/-} or {@code tenants/acme}; empty for all
   */
  public String parent(String text) {
    if (!rootless.isEmpty() && text.isEmpty()) {
      return "";
    }
    int levels = collections.size() - 1;
    String[] given = text.isEmpty() ? new String[0] : text.split("/", -1);
    String[] ids = given.length > 0 && isFull(given) ? everySecond(given) : given;
    if (ids.length > levels) {
      throw new InvalidValueException("parent", text, "is not an owner of " + shape());
    }
    String[] all = new String[levels];
    Arrays.fill(all, ANY);
    System.arraycopy(ids, 0, all, 0, ids.length);
    return join(all);
  }

  /** How many parts a parent has; 0 if the kind has none. */
  public int parentLevels() {
    return collections.size() - 1;
  }

  /** For help and complaints, such as {@code TENANT/NETWORK}. */
  public String shape() {
    String shape =
        String.join(
            "/",
            collections.stream()
                .map(c -> c.substring(0, c.length() - 1).replaceAll("([a-z])([A-Z])", "$1-$2"))
                .map(c -> c.toUpperCase(Locale.ROOT))
                .toList());
    return rootless.isEmpty() ? shape : "[" + shape.replaceFirst("/", "/]");
  }

  private boolean isRootless(String[] parts) {
    return parts.length == 1 || (parts.length == 2 && parts[0].equals(rootless));
  }

  private boolean isFull(String[] parts) {
    for (int i = 0; i < parts.length; i += 2) {
      if (i / 2 >= collections.size() || !parts[i].equals(collections.get(i / 2))) {
        return false;
      }
    }
    return parts.length % 2 == 0;
  }

  private static String[] everySecond(String[] parts) {
    String[] ids = new String[parts.length / 2];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = parts[2 * i + 1];
    }
    return ids;
  }

  private String join(String[] ids) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < ids.length; i++) {
      name.append(i == 0 ? "" : "/").append(collections.get(i)).append('/').append(ids[i]);
    }
    return name.toString();
  }
}
