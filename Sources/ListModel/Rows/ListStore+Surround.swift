internal import ListReading

extension ListStore {
  /// Adds pages before and after the existing ones, and joins all of them again in the order in which they
  /// first arrived, so that of a row in several pages the same one is kept as then.
  ///
  /// The pages get new ids. There must be no edits. Without a turn for each page they join in list order.
  ///
  /// - Returns: The effect on the rows, and the number of rows by which those after the last page have moved since it
  ///   came.
  mutating func surround(
    with before: [PageRows<Item>], _ after: [PageRows<Item>], arrivals: [PageArrival] = []
  ) -> (merge: Merge, growth: Int) {
    let old = self
    let region = 0..<tree.span.rows
    var pages = before
    for page in PageSequence(tree) { if let rows = page.originalRows { pages.append(rows) } }
    pages += after
    clear()
    var merge = Merge(page: .first(of: generation))
    var ids = [PageID?](repeating: nil, count: pages.count)
    var growth = 0
    for step in PageArrival.steps(arrivals, of: pages.count) {
      let joined: Merge
      switch step {
      case .append(let number):
        joined = join(pages[number], at: .next)
        growth = 0
      case .prepend(let number): joined = join(pages[number], at: .previous)
      case .splice(let number, let evidence):
        // A page that left no row stays, since later pages are counted with it.
        if let (merge, plan) = spliceStart(pages[number], next: nil, evidence, keepsEmptyPages: true) {
          joined = merge
          growth += merge.added - plan.mostGone
        } else {
          joined = join(pages[number], at: .previous)
        }
      case .again(let number):
        _ = ids[number].flatMap { restore($0, with: pages[number]) }
        continue
      }
      ids[step.number] = joined.page
      merge.duplicatesInPage += joined.duplicatesInPage
      merge.duplicatesAcross += joined.duplicatesAcross
    }
    merge.added = tree.span.rows - region.count
    guard !region.isEmpty else {
      merge.change = .inserting(0..<tree.span.rows)
      return (merge, growth)
    }
    let origins = origins(in: old, after: before)
    merge.change = .arranging(region, origins: origins, from: 0)
    // Only a row that is in several pages can have changed.
    if merge.duplicatesAcross + merge.duplicatesInPage > 0 || arrivals.contains(where: { $0.splice != nil }) {
      let changed = origins.indices.filter { position in
        guard let origin = origins[position], let item = snapshot.row(at: position)?.item else {
          return false
        }
        return isChanged(item, from: old.snapshot.row(at: origin)?.item)
      }
      merge.change.updated = [Range<Int>](changed)
    }
    return (merge, growth)
  }

  /// The previous position of each row in another store.
  private func origins(in old: ListStore, after before: [PageRows<Item>]) -> [Int?] {
    var origins = [Int?](repeating: nil, count: tree.span.rows)
    var lookup = RowLookup()
    var position = 0
    // Rows without ids are located by their pages.
    let start = before.reduce(0) { $0 + $1.items.count }
    for page in PageSequence(old.tree) {
      if let ids = page.ids {
        for (at, id) in ids.enumerated() {
          guard let now = place(of: id, hash: id.indexHash, by: &lookup)?.position else { continue }
          origins[now] = position + at
        }
      } else {
        for at in 0..<page.count where start + position + at < origins.count {
          origins[start + position + at] = position + at
        }
      }
      position += page.count
    }
    return origins
  }
}

extension StoredPage {
  /// The rows as they were received, before duplicates were resolved.
  fileprivate var originalRows: PageRows<Item>? {
    guard let key, let items else { return nil }
    var rows = PageRows(
      key: key, items: items, ids: ids, bytes: bytes, fingerprint: fingerprint)
    if let parsed {
      rows.reuse(parsed)
    } else {
      rows.isEmpty = items.isEmpty
    }
    return rows
  }
}

/// The pages of a tree in order.
struct PageSequence<Item>: Sequence {
  private let tree: PageTree<Item>

  init(_ tree: PageTree<Item>) { self.tree = tree }

  func makeIterator() -> PageIterator<Item> { PageIterator(tree) }
}

/// When a page joined the list, counted in pages since its start.
struct PageArrival: Hashable, Sendable {
  var joined: Int
  /// When it joined again after being reloaded, if it was.
  var again: Int?
  /// What was known when it was laid over the rows at the start; `nil` if it joined them.
  var splice: SpliceEvidence?
}

extension PageArrival {
  /// A step of joining all pages again.
  enum Step: Hashable {
    case append(Int)
    case prepend(Int)
    /// Lays a page over the rows at the start.
    case splice(Int, SpliceEvidence)
    /// Joins a page that is there already.
    case again(Int)

    /// The number of the page.
    var number: Int {
      switch self {
      case .append(let number), .prepend(let number), .splice(let number, _), .again(let number):
        number
      }
    }
  }

  /// Returns the steps in which pages joined. If the turns are inconsistent, pages join in list order.
  static func steps(_ arrivals: [PageArrival], of count: Int) -> [Step] {
    let inOrder = (0..<count).map { Step.append($0) }
    guard arrivals.count == count else { return inOrder }
    var moments: [(order: Int, number: Int, isAgain: Bool)] = []
    for (number, arrival) in arrivals.enumerated() {
      moments.append((arrival.joined, number, false))
      if let again = arrival.again { moments.append((again, number, true)) }
    }
    moments.sort { ($0.order, $0.number) < ($1.order, $1.number) }
    var steps: [Step] = []
    var present = 0..<0
    for moment in moments {
      if moment.isAgain {
        guard present.contains(moment.number) else { return inOrder }
        steps.append(.again(moment.number))
      } else if present.isEmpty {
        present = moment.number..<moment.number + 1
        steps.append(.append(moment.number))
      } else if moment.number == present.upperBound {
        present = present.lowerBound..<moment.number + 1
        steps.append(.append(moment.number))
      } else if moment.number == present.lowerBound - 1 {
        present = moment.number..<present.upperBound
        steps.append(
          arrivals[moment.number].splice.map { .splice(moment.number, $0) } ?? .prepend(moment.number))
      } else {
        return inOrder
      }
    }
    return steps
  }
}
