public import ListModel
public import ListReading

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message that is shown instead of rows. Equal placeholders look the same, so a view has nothing to change
/// when it gets an equal one.
public struct Placeholder: Hashable, Sendable {
  /// What is shown.
  public enum Body: Hashable, Sendable {
    /// A custom view, by a name that the view knows.
    case custom(String)
    /// Picture, message and action.
    case parts(Placeholder.Content)
  }

  /// The reason for the lack of rows.
  public var reason: Placeholder.Reason
  /// The body of the placeholder.
  public var body: Body
  /// The center of the picture, measured from the top, as a fraction of the height. The view applies it when its size
  /// is known, and when that changes.
  public var relativeCenter: Double
  /// The space between picture and message.
  public var spacing: Double
  /// Whether it moves with the content when the view is pulled.
  public var scrollsWithContent: Bool

  /// Returns the distance from the top to the center of the picture in a view of a given height.
  public func center(in height: Double, offset: Double = 0) -> Double {
    height.isHeight && offset.isFinite ? height * relativeCenter + offset : 0
  }
}

extension Placeholder {
  /// The parts of a standard placeholder.
  public struct Content: Hashable, Sendable {
    /// The picture.
    public var image: RowContent.Image?
    /// The message.
    public var message: String?
    /// The color of the message, by a name that the view knows; `nil` for the default.
    public var color: String?
    /// The distance below its default position.
    public var offset: Double
    /// The action that the user can choose.
    public var action: Placeholder.Action?
    /// Whether to show an activity indicator.
    public var isBusy: Bool

    /// Creates content.
    public init(
      _ message: String? = nil, image: RowContent.Image? = nil, color: String? = nil,
      offset: Double = 0, action: Placeholder.Action? = nil, isBusy: Bool = false
    ) {
      self.message = message
      self.image = image
      self.color = color
      self.offset = offset
      self.action = action
      self.isBusy = isBusy
    }
  }
}

extension Placeholder {
  /// An action that the user can choose when there are no rows.
  public struct Action: Hashable, Sendable {
    /// The effect of an action.
    public enum Kind: Hashable, Sendable {
      /// Retries the load that failed.
      case retry
      /// Loads the list again.
      case refresh
      /// Continues with further pages.
      case loadMore
      /// A custom action.
      case custom(String)
    }

    /// Its effect.
    public var kind: Kind
    /// Its title.
    public var title: String

    /// Creates an action.
    public init(_ kind: Kind, title: String) {
      self.kind = kind
      self.title = title
    }
  }
}

extension Placeholder {
  /// The reason that a view has no rows to show.
  public enum Reason: Hashable, Sendable {
    /// The first rows are being loaded.
    case loadingFirst
    /// The list is empty.
    case empty
    /// The list has rows, but the filter leaves all of them out.
    case filteredEmpty
    /// The load of the rows failed.
    case failed(LoadError)
    /// The server doesn't respond. The date is that of the known data; `nil` if nothing was ever loaded.
    case unreachable(asOf: Date?)
  }
}

extension Placeholder.Reason {
  /// Creates the reason why a table with a data source of its own has no rows to show; `nil` if it has rows, and before
  /// its first load.
  ///
  /// ```swift
  /// let reason = Placeholder.Reason(rows: messages.count, load: .failed(LoadError(error)), hasLoaded: false)
  /// let placeholder = Placeholder.Plan().placeholder(for: reason)
  /// ```
  ///
  /// - Parameters:
  ///   - rows: The number of shown rows.
  ///   - load: The state of the load.
  ///   - hasLoaded: Whether a load has succeeded.
  ///   - isFiltered: Whether there are rows that aren't shown.
  ///   - asOf: The date of the data that is known.
  public init?(
    rows: Int, load: LoadState, hasLoaded: Bool, isFiltered: Bool = false, asOf: Date? = nil
  ) {
    var facts = ListFacts()
    facts.shownRows = rows
    facts.refreshState = load
    facts.hasLoaded = hasLoaded
    facts.isFiltered = isFiltered
    facts.endedEmpty = hasLoaded
    facts.freshness = asOf.map { .stored(asOf: $0) } ?? .nothing
    guard let reason = facts.placeholderReason else { return nil }
    self = reason
  }
}

extension ListFacts {
  /// The reason that there are no rows; `nil` if there are rows, and before the first load.
  var placeholderReason: Placeholder.Reason? {
    guard shownRows == 0 else { return nil }
    switch refreshState {
    case .loading:
      // An empty list counts as empty until a load changes that; evicted rows are being loaded.
      return hasLoaded && endedEmpty ? emptiness : .loadingFirst
    case .failed(let error):
      return error.isUnreachable == true ? .unreachable(asOf: freshness.asOf) : .failed(error)
    case .idle, .stillSearching, .reachedEnd: break
    }
    if case .unreachable(let moment, _) = freshness { return .unreachable(asOf: moment) }
    guard hasLoaded else { return nil }
    switch nextState {
    case .loading: return .loadingFirst
    case .failed(let error): return .failed(error)
    case .idle, .stillSearching, .reachedEnd: return emptiness
    }
  }

  private var emptiness: Placeholder.Reason { isFiltered ? .filteredEmpty : .empty }
}
