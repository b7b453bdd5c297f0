extension ListStore {
  /// Puts pages before and behind those that are there, and has all of them meet anew in the order in which
  /// they once came: of rows that are in several pages, those are kept that were.
  ///
  /// The pages get new ids. There are no edits. Without a turn for each page they come one after the other.
  mutating func surround(
    with before: [PageRows<Item>], _ behind: [PageRows<Item>], turns: [PageTurn] = []
  ) -> Merge {
    let old = self
    let region = 0..<tree.span.rows
    var pages = before
    for page in PageSequence(tree) { if let rows = page.originalRows { pages.append(rows) } }
    pages += behind
    clear()
    var merge = Merge(page: .first(of: generation))
    var ids = [PageID?](repeating: nil, count: pages.count)
    for step in PageTurn.steps(turns, of: pages.count) {
      let joined: Merge
      switch step {
      case .append(let number): joined = join(pages[number], at: .next)
      case .prepend(let number): joined = join(pages[number], at: .previous)
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
      return merge
    }
    let origins = origins(in: old, behind: before)
    merge.change = .arranging(region, origins: origins, from: 0)
    // Only a row that is in several pages can have come out as another one.
    if merge.duplicatesAcross + merge.duplicatesInPage > 0 {
      let news = origins.indices.filter { position in
        guard let origin = origins[position], let item = snapshot.row(at: position)?.item else {
          return false
        }
        return isNews(item, after: old.snapshot.row(at: origin)?.item)
      }
      merge.change.updated = [Range<Int>](news)
    }
    return merge
  }

  /// Where each row was among those of a store.
  private func origins(in old: ListStore, behind before: [PageRows<Item>]) -> [Int?] {
    var origins = [Int?](repeating: nil, count: tree.span.rows)
    var lookup = RowLookup()
    var position = 0
    // Rows that can't be told apart are where their pages are.
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
  /// The rows as they came, before they met the list.
  fileprivate var originalRows: PageRows<Item>? {
    guard let key, let items else { return nil }
    var rows = PageRows(
      key: key, items: items, ids: ids, bytes: bytes, fingerprint: fingerprint, border: border)
    if let parsed {
      rows.reuse(parsed)
    } else {
      rows.isEmpty = items.isEmpty
    }
    return rows
  }
}

/// The pages of a tree in their order.
struct PageSequence<Item>: Sequence {
  private let tree: PageTree<Item>

  init(_ tree: PageTree<Item>) { self.tree = tree }

  func makeIterator() -> PageIterator<Item> { PageIterator(tree) }
}

/// When a page came, counted in pages since the list began.
struct PageTurn: Hashable, Sendable {
  var joined: Int
  /// When it came again after that, if it did.
  var again: Int?
}

extension PageTurn {
  /// What happens to a page when a list is put together once more.
  enum Step: Hashable {
    case append(Int)
    case prepend(Int)
    /// It is there, and comes once more.
    case again(Int)

    /// The number of the page.
    var number: Int {
      switch self {
      case .append(let number), .prepend(let number), .again(let number): number
      }
    }
  }

  /// How pages came together. Where turns can't be true they come one after the other.
  static func steps(_ turns: [PageTurn], of count: Int) -> [Step] {
    let inOrder = (0..<count).map { Step.append($0) }
    guard turns.count == count else { return inOrder }
    var moments: [(turn: Int, number: Int, isAgain: Bool)] = []
    for (number, turn) in turns.enumerated() {
      moments.append((turn.joined, number, false))
      if let again = turn.again { moments.append((again, number, true)) }
    }
    moments.sort { ($0.turn, $0.number) < ($1.turn, $1.number) }
    var steps: [Step] = []
    var there = 0..<0
    for moment in moments {
      if moment.isAgain {
        guard there.contains(moment.number) else { return inOrder }
        steps.append(.again(moment.number))
      } else if there.isEmpty {
        there = moment.number..<moment.number + 1
        steps.append(.append(moment.number))
      } else if moment.number == there.upperBound {
        there = there.lowerBound..<moment.number + 1
        steps.append(.append(moment.number))
      } else if moment.number == there.lowerBound - 1 {
        there = moment.number..<there.upperBound
        steps.append(.prepend(moment.number))
      } else {
        return inOrder
      }
    }
    return steps
  }
}
