internal import ListModel
internal import ListPresentation

extension TerminalListView {
  /// The number of the selected row; 0 if there is none.
  private var selectedNumber: Int { viewport.selected.flatMap { map.number(of: $0) } ?? 0 }

  /// Starts a search at the selected row.
  func beginSearch() {
    search = SearchState(from: selectedNumber, rowCount: map.rowCount)
    onChange?()
  }

  /// Handles a key while a search is open; returns `false` if the key has its usual meaning.
  func pressInSearch(_ key: Key) -> Bool {
    guard var state = search else { return false }
    if state.isTyping {
      switch key {
      case .character(let character): state.type(character)
      case .backspace:
        guard state.deleteLast() else { return leaveSearch(returning: true) }
      case .control("u"): state.deleteAll()
      case .enter:
        guard !state.text.isEmpty else { return leaveSearch(returning: true) }
        state.accept()
      case .escape: return leaveSearch(returning: true)
      case .down: state.next(.forward, from: selectedNumber)
      case .up: state.next(.backward, from: selectedNumber)
      default: break
      }
    } else {
      switch key {
      case .character("n"): state.next(.forward, from: selectedNumber)
      case .character("N"): state.next(.backward, from: selectedNumber)
      case .escape: return leaveSearch(returning: false)
      default: return false
      }
    }
    search = state
    searchOn()
    return true
  }

  private func leaveSearch(returning: Bool) -> Bool {
    if returning, let origin = search.flatMap({ map.position(ofRow: $0.origin) }) {
      viewport.select(origin, map)
    }
    search = nil
    lookAround()
    return true
  }

  /// Adapts the search to changed rows.
  ///
  /// - Parameter found: The row that was found, at its new position.
  func searchFollows(onlyAppended: Bool, found: RowPosition? = nil) {
    search?.rowsChanged(
      to: map.rowCount, onlyAppended: onlyAppended, selected: selectedNumber,
      found: found.flatMap { map.number(of: $0) })
    searchOn()
  }

  /// Examines some rows at once, and the others between keys and frames.
  private func searchOn() {
    guard examineSome(), searching == nil else { return }
    searching = Task { [weak self] in
      repeat { await Task.yield() } while self?.examineSome() == true
      self?.searching = nil
    }
  }

  /// Examines the next rows, and returns whether there are more.
  private func examineSome() -> Bool {
    guard let state = search else { return false }
    defer { onChange?() }
    let pending = state.pending
    let sections = controller.sections
    let place = pending.firstIndex { number in
      guard let position = map.position(ofRow: number), let item = sections.item(at: position)
      else { return false }
      return FoldedText(searchText(item, at: position)).contains(state.needle)
    }
    search?.examined(place.map { $0 + 1 } ?? pending.count, match: place.map { pending[$0] })
    if let position = place.flatMap({ map.position(ofRow: pending[$0]) }) {
      viewport.select(position, map)
      lookAround()
    }
    return search?.pending.isEmpty == false
  }
}

extension SectionsChange {
  /// Whether rows were only inserted after the last one.
  func onlyAppends(to map: LineMap) -> Bool {
    sections.isEmpty
      && rows.allSatisfy { rows in
        rows.before == map.sectionCount - 1 && rows.change.removed.isEmpty
          && rows.change.moved.isEmpty
          && rows.change.inserted.allSatisfy {
            $0.lowerBound >= map.rowCount(inSection: rows.before)
          }
      }
  }
}
