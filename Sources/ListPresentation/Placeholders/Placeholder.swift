public import ListModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What stands in the place of rows. Equal placeholders look the same, so a view changes nothing when it
/// is given one again.
public struct Placeholder: Hashable, Sendable {
  /// What is shown.
  public enum Body: Hashable, Sendable {
    /// A view of the program's own, by a name that the view knows.
    case custom(String)
    /// Picture, message and action.
    case parts(Placeholder.Content)
  }

  /// Why there are no rows.
  public var reason: Placeholder.Reason
  /// What is shown.
  public var body: Body
  /// Where it is shown.
  public var layout: Placeholder.Layout
  /// Whether it moves along when the view is pulled.
  public var scrollsWithContent: Bool
}

extension Placeholder {
  /// The parts of a placeholder of a usual make.
  public struct Content: Hashable, Sendable {
    /// The picture.
    public var image: RowContent.Image?
    /// What it says.
    public var message: String?
    /// The colour of the message, by a name that the view knows; `nil` for the usual one.
    public var color: String?
    /// How far below its usual place it is.
    public var offset: Double
    /// What can be done about it.
    public var action: Placeholder.Action?
    /// Whether something moves that says that work is going on.
    public var isBusy: Bool

    /// Makes content.
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
  /// What can be done about a lack of rows.
  public struct Action: Hashable, Sendable {
    /// What it does.
    public enum Kind: Hashable, Sendable {
      /// Repeats the load that failed.
      case retry
      /// Loads the list again.
      case refresh
      /// Goes on looking through further pages.
      case loadMore
      /// Something of the program's own.
      case custom(String)
    }

    /// What it does.
    public var kind: Kind
    /// What it says.
    public var title: String

    /// Makes an action.
    public init(_ kind: Kind, title: String) {
      self.kind = kind
      self.title = title
    }
  }
}

extension Placeholder {
  /// Where a placeholder is; hints that a view carries out when it knows its size, and again when that
  /// changes.
  public struct Layout: Hashable, Sendable {
    /// Where the centre of the picture is, from the top, as a part of the height.
    public var relativeCenter: Double
    /// The space between picture and message.
    public var spacing: Double

    /// Makes a layout.
    public init(relativeCenter: Double = 0.382, spacing: Double = 24) {
      self.relativeCenter = relativeCenter
      self.spacing = spacing
    }

    /// How far from the top the centre of the picture is in a view of that height.
    public func center(in height: Double, offset: Double = 0) -> Double {
      height.isHeight && offset.isFinite ? height * relativeCenter + offset : 0
    }
  }
}

extension Placeholder {
  /// Why a view has no rows to show.
  public enum Reason: Hashable, Sendable {
    /// The first rows are on their way.
    case loadingFirst
    /// There are none.
    case empty
    /// There are some, but the filter leaves all of them out.
    case filteredEmpty
    /// The load that should have brought them failed.
    case failed(LoadError)
    /// No answer of the server comes; what is known is from then, and `nil` where
    /// nothing ever came.
    case offline(asOf: Date?)
  }
}

extension ListFacts {
  /// Why there are no rows; `nil` while there are, and before anything was asked for.
  public var placeholderReason: Placeholder.Reason? {
    guard shownRows == 0 else { return nil }
    switch refreshState {
    case .loading:
      // What is empty stays so until something comes; what was taken out of sight is on its way.
      return hasLoaded && endedEmpty ? emptiness : .loadingFirst
    case .failed(let error):
      return error.meansSilence == true ? .offline(asOf: freshness.asOf) : .failed(error)
    case .idle, .stillSearching, .endReached: break
    }
    if case .offline(let moment, _) = freshness { return .offline(asOf: moment) }
    guard hasLoaded else { return nil }
    switch nextState {
    case .loading: return .loadingFirst
    case .failed(let error): return .failed(error)
    case .idle, .stillSearching, .endReached: return emptiness
    }
  }

  private var emptiness: Placeholder.Reason { isFiltered ? .filteredEmpty : .empty }
}
