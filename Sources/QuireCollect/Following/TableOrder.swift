#if SQLITE
  internal import ListModel
  internal import SQLiteFile

  /// The places of the rows of a list, in order. It has no items.
  struct TableOrder {
    /// What decides where a row is.
    struct Place: Hashable, Sendable {
      var value: SQLiteValue
      /// The order of rows with one value.
      var tie: SQLiteValue
    }

    private(set) var places: [Place] = []
    let descending: Bool

    init(descending: Bool) { self.descending = descending }

    private func isBefore(_ a: Place, _ b: Place) -> Bool {
      if a.value != b.value { return descending ? b.value < a.value : a.value < b.value }
      return a.tie < b.tie
    }

    /// Returns the position of a place, or where it would be.
    func position(of place: Place) -> Int {
      var (low, high) = (0, places.count)
      while low < high {
        let middle = (low + high) / 2
        if isBefore(places[middle], place) { low = middle + 1 } else { high = middle }
      }
      return low
    }

    /// Adds places that are in order and after all others.
    mutating func append(_ new: [Place]) { places += new }

    /// Takes places out and puts others in. Returns the positions of the others, as they are given.
    mutating func replace(_ old: [Place], by new: [Place]) -> [Int] {
      guard !old.isEmpty || !new.isEmpty else { return [] }
      let gone = Set(old.map(position))
      let order = new.indices.sorted { isBefore(new[$0], new[$1]) }
      var positions = [Int](repeating: 0, count: new.count)
      var merged: [Place] = []
      merged.reserveCapacity(places.count - gone.count + new.count)
      // Runs between the places that change are copied as a whole.
      let stops = (gone.map { ($0, true) } + order.map { (position(of: new[$0]), false) }).sorted {
        $0.0 != $1.0 ? $0.0 < $1.0 : !$0.1 && $1.1
      }
      var (start, added) = (0, 0)
      for (position, leaves) in stops {
        merged += places[start..<position]
        start = position
        if leaves {
          start += 1
        } else {
          positions[order[added]] = merged.count
          merged.append(new[order[added]])
          added += 1
        }
      }
      merged += places[start...]
      places = merged
      return positions
    }
  }
#endif
