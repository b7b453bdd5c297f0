public import ListModel

/// Why sections can't be changed like that.
public enum SectionError: Error, Hashable, Sendable {
  /// There is no section with this id; these are there.
  case unknownSection(RowID, known: [RowID])
  /// There is no section of this number; so many are there.
  case noSection(Int, count: Int)
  /// There is no row there; the section has so many.
  case noRow(RowPosition, count: Int)
}

extension SectionError: CustomStringConvertible {
  /// What is missing, and what there is.
  public var description: String {
    switch self {
    case .unknownSection(let id, let known):
      """
      there is no section “\(id)”, only \(known.map { "“\($0)”" }.joined(separator: ", ")): \
      add the section first, or use one of these
      """
    case .noSection(let number, let count):
      "there is no section \(number): the numbers of the \(count) sections begin with 0"
    case .noRow(let position, let count):
      "there is no row \(position.row) in section \(position.section), which has \(count) rows"
    }
  }
}
