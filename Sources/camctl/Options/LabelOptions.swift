import ArgumentParser

/// What photos and movies are called in the library, and the words by which they are found.
struct LabelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A title for people, which the library and the files keep.", valueName: "NAME"))
  var name = ""

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp(
      "A word by which camctl assets --tag finds it; several with commas, or one --tag each.",
      valueName: "TAG"),
    transform: TagText.parse)
  var tagLists: [[String]] = []

  var tags: [String] { TagText.joined(tagLists) }
}

/// Tags as people write them: one, or several with commas.
enum TagText {
  /// - Throws: A usage error for an empty one.
  static func parse(_ text: String) throws -> [String] {
    let tags = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard !tags.contains("") else {
      throw ValidationError("'\(text)' has an empty tag: write one, or several as garden,night")
    }
    return tags
  }

  /// Each once.
  static func joined(_ lists: [[String]]) -> [String] {
    var tags: [String] = []
    for tag in lists.joined() where !tags.contains(tag) { tags.append(tag) }
    return tags
  }
}
