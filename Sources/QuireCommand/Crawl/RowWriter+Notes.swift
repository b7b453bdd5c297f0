extension RowWriter {
  /// What the output lacks of the rows.
  var notes: [String] {
    var notes: [String] = []
    if !omittedNames.isEmpty {
      let names = omittedNames.sorted().prefix(8).joined(separator: ", ")
      notes.append(
        "\(format) has only the columns of the first page, so members of later rows are left out: \(names);"
          + " name the columns with --select")
    }
    if replacedCharacters > 0 {
      notes.append(
        "half of a character (a lone surrogate) became U+FFFD, \(replacedCharacters) times; --format ndjson keeps"
          + " them as they came")
    }
    return notes
  }
}
