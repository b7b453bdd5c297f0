/// The hash table of a list's rows: four bytes for each place, with the number of a row, and a part of its hash in the other
/// bits, so that hardly any other row is looked at. The rows are elsewhere.
package struct RowPlaces: Sendable {
  /// For each place 0 or the number of a row plus one, below a part of its hash.
  private var places: ContiguousArray<UInt32> = []
  /// The bits of a place for the number of its row.
  private var numberMask: UInt32 = 0
  /// How many rows fit before the table grows.
  package private(set) var room = 0

  package init() {}

  /// Creates a table of rows with these hashes.
  ///
  /// - Parameter size: The ``largerSize`` of the table before, which the owner frees first, so that there is never more
  ///   than one.
  @inline(__always)
  package init(size: Int, of count: Int, hash: (Int) -> UInt64) {
    places = ContiguousArray(repeating: 0, count: size)
    // Full to three quarters, so that about four places are looked at for a new row, in one line of the cache.
    room = size - size / 4
    precondition(room < UInt32.max, "at most four billion distinct rows are supported")
    numberMask = .max >> UInt32(UInt32(room).leadingZeroBitCount)
    for index in 0..<count {
      let hash = hash(index)
      var place = home(hash)
      while places[place] != 0 { place = after(place) }
      put(index, hash, at: place)
    }
  }

  /// The size of the table that follows this one.
  package var largerSize: Int { max(64, places.count + places.count / 2) }

  /// Returns the index of a row with this hash, or the free place where it belongs.
  ///
  /// - Parameter isSame: Whether the row with an index is the one that is looked for.
  @inline(__always)
  package func find(_ hash: UInt64, isSame: (Int) -> Bool) -> (place: Int, index: Int?) {
    let mark = mark(hash)
    var place = home(hash)
    while true {
      let found = places[place]
      if found == 0 { return (place, nil) }
      if found & ~numberMask == mark {
        let index = Int(found & numberMask) - 1
        if isSame(index) { return (place, index) }
      }
      place = after(place)
    }
  }

  /// What the first place of a hash has; 0 if no row with it is known. Reading it fetches the place from memory.
  @inline(__always)
  func first(_ hash: UInt64) -> UInt32 { places[home(hash)] }

  /// Puts a row into the free place that was found for it.
  @inline(__always)
  package mutating func put(_ index: Int, _ hash: UInt64, at place: Int) {
    places[place] = mark(hash) | UInt32(index + 1)
  }

  @inline(__always)
  private func home(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(places.count)).high)
  }

  @inline(__always)
  private func mark(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash) & ~numberMask }

  @inline(__always)
  private func after(_ place: Int) -> Int { place + 1 == places.count ? 0 : place + 1 }
}
