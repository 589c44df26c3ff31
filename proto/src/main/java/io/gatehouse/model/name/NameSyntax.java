package io.gatehouse.model.name;

import io.gatehouse.model.net.InvalidValueException;

/** The grammar of resource names: collections and ids in turn, joined by slashes (AIP-122). */
final class NameSyntax {
  private static final int MAX_ID_LENGTH = 40;

  private NameSyntax() {}

  /**
   * Splits a name along its collections.
   *
   * @param name the text, such as {@code tenants/acme/networks/blue}
   * @param collections the expected collections, such as {@code tenants, networks}
   * @return the ids, one for each collection
   * @throws InvalidValueException if the name does not have that form
   */
  static String[] split(String name, String... collections) {
    String[] parts = name.split("/", -1);
    if (parts.length != 2 * collections.length) {
      throw malformed(name, collections);
    }
    String[] ids = new String[collections.length];
    for (int i = 0; i < ids.length; i++) {
      if (!parts[2 * i].equals(collections[i])) {
        throw malformed(name, collections);
      }
      ids[i] = checkId(parts[2 * i + 1]);
    }
    return ids;
  }

  /** Checks one id: 1 to 40 of a-z, 0-9 and "-", starting with a letter, not ending in "-". */
  static String checkId(String id) {
    boolean characters =
        id.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-');
    boolean edges = !id.isEmpty() && Character.isLetter(id.charAt(0)) && !id.endsWith("-");
    if (!characters || !edges || id.length() > MAX_ID_LENGTH) {
      throw new InvalidValueException(
          "name",
          id,
          "is not an id: 1 to "
              + MAX_ID_LENGTH
              + " of a-z, 0-9 and \"-\", starting with a letter, not ending in \"-\"");
    }
    return id;
  }

  private static InvalidValueException malformed(String name, String... collections) {
    StringBuilder form = new StringBuilder();
    for (String collection : collections) {
      String singular = collection.substring(0, collection.length() - 1);
      form.append(form.isEmpty() ? "" : "/")
          .append(collection)
          .append("/{")
          .append(singular)
          .append('}');
    }
    return new InvalidValueException("name", name, "is not of the form " + form);
  }
}
