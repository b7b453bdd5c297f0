extension EndSign {
  /// How the end is known after a page.
  ///
  /// - Parameters:
  ///   - overlap: The overlap that the page is, if it is one.
  ///   - isRepeat: Whether all its rows are known.
  ///   - isThinned: Whether pages have fewer rows than they could have.
  func of(_ overlap: PageOverlap?, isRepeat: Bool, isThinned: Bool) -> EndSign {
    if self == .short, isThinned { return .silent }
    guard let overlap else {
      // It is no place after the rows before it, whatever it says.
      return isRepeat ? .silent : self
    }
    // A page of another size ends elsewhere than the server's own pages, of which none was short.
    return self == .short && overlap.ownSize != nil ? .silent : self
  }
}
