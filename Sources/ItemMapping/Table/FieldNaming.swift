/// What a property is called in the JSON where its row names no path.
public enum FieldNaming: Sendable, Hashable {
  /// The same as in Swift.
  case same
  /// In small letters with underscores: `pageURL` is `page_url`, `itemsPerPage` is `items_per_page`.
  case snakeCase

  /// The name in the JSON.
  func key(for property: String) -> String {
    switch self {
    case .same: property
    case .snakeCase: Self.snake(property)
    }
  }

  /// A new word begins at a capital behind a small letter or a digit, and at the last capital of
  /// several that are followed by a small letter.
  private static func snake(_ name: String) -> String {
    let letters = Array(name)
    var result = ""
    for (place, letter) in letters.enumerated() {
      if letter.isUppercase, place > 0 {
        let before = letters[place - 1]
        let isFollowed = place + 1 < letters.count && letters[place + 1].isLowercase
        if before.isLowercase || before.isNumber || (before.isUppercase && isFollowed) {
          result += "_"
        }
      }
      result += letter.lowercased()
    }
    return result
  }
}
