import Foundation
import Quire
import QuireTesting
import Support

/// A stand-in for UIKit's table: it has the same methods, and records a problem where the announced changes do not
/// match the rows that it counts.
@MainActor final class UITableView {
  enum RowAnimation { case automatic }

  private let count: () -> [Int]
  private(set) var counts: [Int] = []
  private(set) var problems: [String] = []
  private(set) var batches = 0
  private var isInBatch = false
  private var removedSections = IndexSet()
  private var insertedSections = IndexSet()
  private var movedSections: [(from: Int, to: Int)] = []
  private var removedRows: [IndexPath] = []
  private var insertedRows: [IndexPath] = []
  private var movedRows: [(from: IndexPath, to: IndexPath)] = []

  init(_ count: @escaping () -> [Int]) { self.count = count }

  func reloadData() { counts = count() }

  // As in UIKit, a closure that may be absent is an escaping one.
  func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    if count() != counts { problems.append("rows changed before the update") }
    (removedSections, insertedSections, movedSections) = ([], [], [])
    (removedRows, insertedRows, movedRows) = ([], [], [])
    batches += 1
    isInBatch = true
    updates?()
    isInBatch = false
    check(count())
    counts = count()
    completion?(true)
  }

  func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
    removedSections = sections
  }
  func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
    insertedSections = sections
  }
  func moveSection(_ section: Int, toSection new: Int) { movedSections.append((section, new)) }
  func deleteRows(at paths: [IndexPath], with animation: RowAnimation) { removedRows += paths }
  func insertRows(at paths: [IndexPath], with animation: RowAnimation) { insertedRows += paths }
  func moveRow(at path: IndexPath, to new: IndexPath) { movedRows.append((path, new)) }

  func reconfigureRows(at paths: [IndexPath]) {
    for path in paths
    where !(counts.indices.contains(path.section) && path.row < counts[path.section]) {
      problems.append("no row \(path) to configure")
    }
  }

  func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {
    for section in sections where !counts.indices.contains(section) {
      problems.append("no section \(section) to reload")
    }
  }

  private func check(_ new: [Int]) {
    guard new.count == counts.count - removedSections.count + insertedSections.count else {
      return problems.append("\(counts.count) sections, then \(new.count)")
    }
    let leaving = Set(removedSections).union(movedSections.map(\.from))
    let arriving = Set(insertedSections).union(movedSections.map(\.to))
    let pairs =
      zip(
        counts.indices.filter { !leaving.contains($0) },
        new.indices.filter { !arriving.contains($0) })
      + movedSections.map { ($0.from, $0.to) }
    let removed = removedRows + movedRows.map(\.from)
    let inserted = insertedRows + movedRows.map(\.to)
    if Set(removed).count != removed.count || Set(inserted).count != inserted.count {
      problems.append("a row in two places")
    }
    for (old, now) in pairs {
      let out = removed.filter { $0.section == old }
      let into = inserted.filter { $0.section == now }
      if counts[old] - out.count + into.count != new[now] {
        problems.append("section \(old): \(counts[old]) rows, \(out), \(into), then \(new[now])")
      }
      if out.contains(where: { $0.row >= counts[old] })
        || into.contains(where: { $0.row >= new[now] })
      {
        problems.append("section \(old): a row that is not there")
      }
    }
    for path in removed where removedSections.contains(path.section) {
      problems.append("\(path) was removed twice")
    }
    for path in inserted where insertedSections.contains(path.section) {
      problems.append("\(path) was inserted twice")
    }
  }
}

extension IndexPath {
  init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  var section: Int { self[0] }
  var row: Int { self[1] }
}

/// Books on a server that change between requests.
final class ManualShelf: Sendable {
  private let books = Lock((0..<14).map { (id: $0, year: 2000 + $0 / 3) })

  func page(_ number: Int) -> MockResponse {
    let books = books.withLock { $0 }
    let rows = books.dropFirst((number - 1) * 4).prefix(4).map {
      #"{"id": \#($0.id), "year": \#($0.year)}"#
    }
    let pages = (books.count + 3) / 4
    return .json(#"{"rows": [\#(rows.joined(separator: ", "))], "pages": \#(pages)}"#)
  }

  func change(_ random: inout SeededGenerator) {
    books.withLock { books in
      switch Int.random(in: 0..<3, using: &random) {
      case 0: books.shuffle(using: &random)
      case 1:
        let new = Int.random(in: 100..<999, using: &random)
        if !books.contains(where: { $0.id == new }) { books.insert((new, 2002), at: 0) }
      default:
        for index in books.indices where Bool.random(using: &random) {
          books[index].year = Int.random(in: 2000...2004, using: &random)
        }
      }
    }
  }
}
