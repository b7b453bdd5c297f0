import Quire
import UIKit

@testable import QuireUIUnderTest

/// A table that shows rows of the program itself, bound without a view controller.
@MainActor final class ProgramTable {
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 300))
  private let table = UITableView(frame: CGRect(x: 0, y: 0, width: 320, height: 300), style: .plain)
  private let binding: ListTableBinding

  init(_ list: LocalList<Row>) {
    window.addSubview(table)
    binding = ListTableBinding(ListController(list), in: table)
  }

  /// The number of rows of each section.
  var counts: [Int] { (0..<table.numberOfSections).map { table.numberOfRows(inSection: $0) } }

  func detach() { binding.detach() }
}
