/// Windows of pages that have numbers: a page of another size begins among the rows of the page before.
///
/// Pages of one size never overlap. A page of `z` rows with number `m` has the rows from `m * z` on, so that sizes can be
/// found whose pages begin shortly before any row and end far behind it.
extension PageNumberPaging {
  /// Returns the size of a page where it is not the usual one, nor that of a first load that stands for several pages.
  func ownSize(of key: PageKey) -> Int? {
    guard let usual = pages.size, let size = key.size, size != usual else { return nil }
    return key.place == .number(start) && size > usual && size % usual == 0 ? nil : size
  }

  /// Returns the number of rows before a page; `nil` if its size is not known to be honored.
  func rows(before key: PageKey) -> Int? {
    guard case .number(let number) = key.place, let usual = pages.size, number > start else {
      return nil
    }
    if let size = ownSize(of: key) { return number.minus(start).times(size) }
    return key.fullSize == usual ? number.minus(start).times(usual) : nil
  }

  /// Returns the window that begins some rows before a page and ends as far as possible.
  ///
  /// - Parameters:
  ///   - key: The page.
  ///   - rows: The number of rows before it. A window that has to reach beyond the page may begin nearer.
  ///   - reachesPage: Whether it has to have rows of the page.
  func window(before key: PageKey, rows: Int, reachesPage: Bool) -> PageWindow? {
    guard pages.sizeParameter != nil, let usual = pages.size,
      !pages.ends.contains(where: \.isChoice),
      let position = self.rows(before: key), position < .max
    else { return nil }
    // Smaller pages than that would take too many requests.
    let least = max(1, usual / 2)
    // A page of the usual size doesn't show whether the server honors others.
    if !reachesPage {
      return window(before: position, rows: rows, sizes: least...max(least, usual - 1))
    }
    for rows in stride(from: min(rows, position), through: 1, by: -1) {
      let window = window(before: position, rows: rows, sizes: least...usual)
      if let size = window.key.size, size > window.rows { return window }
    }
    return nil
  }

  /// Returns the window of one of these sizes that ends farthest.
  private func window(
    before position: Int, rows: Int, sizes: ClosedRange<Int>
  ) -> PageWindow {
    let latest = max(0, position - rows)
    var (size, end) = (sizes.upperBound, 0)
    for candidate in sizes where (latest / candidate + 1) * candidate >= end {
      (size, end) = (candidate, (latest / candidate + 1) * candidate)
    }
    let number = latest / size
    var window = PageWindow(
      key: PageKey(.number(start.plus(number)), size: size), rows: position - number * size)
    window.position = position
    window.hasOwnSize = true
    window.key.fullSize = size
    return window
  }
}
