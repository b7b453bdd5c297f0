internal import ListModel
public import ListReading

extension RefreshHeader {
  /// The state of the control above the rows, which is pulled down.
  public enum State: Hashable, Sendable {
    /// Not shown; pulling down has no effect.
    case hidden
    /// Not pulled.
    case idle
    /// Pulled by this fraction of the threshold.
    case pulling(Double)
    /// Pulled far enough: releasing it starts a refresh.
    case triggered
    /// A refresh is running.
    case loading
  }
}

/// The state of the control below the rows.
public enum FooterState: Hashable, Sendable {
  /// Not shown.
  case hidden
  /// There may be more rows.
  case idle
  /// Pulled far enough: releasing it loads the next page.
  case triggered
  /// The next page is being loaded.
  case loading
  /// The next page failed to load; a tap retries it.
  case failed(LoadError)
  /// There are no more rows.
  case noMore(ListEnd)
}

extension Placeholder.Plan.Texts {
  /// Returns the text of the footer; `nil` for none, and while a view shows a spinner in its place.
  public func footer(_ state: FooterState) -> String? {
    switch state {
    case .hidden, .loading: nil
    case .idle: loadMore
    case .triggered: releaseToLoadMore
    case .failed: nextFailed
    case .noMore(.complete): noMore
    case .noMore(.incomplete): mayLackRows
    }
  }
}

extension LoadToken {
  /// The outcome of a refresh, or of a load that the program carries out itself, for the control that shows it.
  public enum Outcome: Hashable, Sendable {
    /// The rows are current.
    case succeeded
    /// The load failed, and the rows are unchanged.
    case failed(LoadError)
    /// The load was cancelled, and the rows are unchanged.
    case cancelled
  }
}

/// A control that is pulled: it triggers past a threshold, and acts when released there.
///
/// A plain value that takes distances. An invalid distance counts as 0.
package struct PullMachine: Hashable, Sendable {
  /// The state of the control.
  package enum State: Hashable, Sendable {
    /// Not pulled.
    case idle
    /// Pulled by this fraction of the threshold.
    case pulling(Double)
    /// Pulled past the threshold.
    case triggered
  }

  /// The distance that triggers it.
  package var threshold: Double
  /// The current state.
  package private(set) var state = State.idle

  /// Creates a control with a threshold. If that isn't above 0, any pull triggers.
  package init(threshold: Double) { self.threshold = threshold }

  /// Sets the pulled distance. Going back below the threshold resets the trigger.
  package mutating func pull(to distance: Double) {
    guard distance.isFinite, distance > 0 else {
      state = .idle
      return
    }
    let needed = threshold.isHeight ? threshold : 0
    state = distance >= needed ? .triggered : .pulling(distance / needed)
  }

  /// Releases the control, and returns whether it was triggered.
  package mutating func release() -> Bool {
    defer { state = .idle }
    return state == .triggered
  }
}

/// The control above the rows: pulled far enough and released, it begins a refresh, which it shows until that ends.
///
/// A ``ListController`` has one. A table with a data source of its own keeps one itself:
///
/// ```swift
/// var header = RefreshHeader()
/// header.pull(to: 80)                            // the rows are 80 points below their place
/// if header.release() { reload() }               // header.state is .loading until header.end()
/// ```
public struct RefreshHeader: Hashable, Sendable {
  private var machine: PullMachine
  /// Whether a refresh is shown.
  private(set) var isLoading = false

  /// Creates a header that triggers at a distance.
  public init(threshold: Double = 60) { machine = PullMachine(threshold: threshold) }

  /// What it shows.
  public var state: RefreshHeader.State {
    if isLoading { return .loading }
    switch machine.state {
    case .idle: return .idle
    case .pulling(let part): return .pulling(part)
    case .triggered: return .triggered
    }
  }

  /// Handles that the rows are pulled down by a distance; 0 if they are back at their place.
  public mutating func pull(to distance: Double) {
    if !isLoading { machine.pull(to: distance) }
  }

  /// Handles that the rows are released. If they were pulled far enough, a refresh begins.
  ///
  /// - Returns: Whether one begins.
  public mutating func release() -> Bool { machine.release() && begin() }

  /// Shows a refresh that began without a pull.
  ///
  /// - Returns: Whether none was shown.
  @discardableResult public mutating func begin() -> Bool {
    machine.pull(to: 0)
    defer { isLoading = true }
    return !isLoading
  }

  /// Ends the refresh, whatever its outcome.
  ///
  /// - Returns: Whether one was shown.
  @discardableResult public mutating func end() -> Bool {
    defer { isLoading = false }
    return isLoading
  }

  /// Sets the distance, which lets go of the rows. A refresh is still shown.
  mutating func use(threshold: Double) { machine = PullMachine(threshold: threshold) }
}

/// The scroll position of a view in toolkit terms, from which pull distances are computed. Values that aren't
/// numbers count as 0.
package struct ScrollGeometry: Hashable, Sendable {
  /// The distance that the content is scrolled up; negative if it is pulled down.
  package var offset: Double
  /// The height of the view.
  package var viewport: Double
  /// The height of the content.
  package var content: Double

  /// Creates a geometry; insets are part of the content.
  package init(offset: Double, viewport: Double, content: Double) {
    self.offset = offset.isFinite ? offset : 0
    self.viewport = viewport.isHeight ? viewport : 0
    self.content = content.isHeight ? content : 0
  }

  /// The distance that the content is pulled down beyond its start.
  package var pulledDown: Double { max(0, -offset) }

  /// The distance that the content is pulled up beyond its end. Content that is shorter than the view is
  /// pulled from its resting position.
  package var pulledUp: Double { max(0, offset - max(0, content - viewport)) }

  /// Whether the content is at least as high as the view.
  package var fillsView: Bool { content >= viewport }
}
