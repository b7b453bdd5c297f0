public import Foundation

/// A view with a modifier.
struct Modified<Content: View>: NoBody, PrimitiveView {
  let content: Content
  let change: (Node, Context) -> Void

  func nodes(_ context: Context) -> [Node] {
    let nodes = content.evaluated(context)
    // A modifier of several views changes each of them, or makes one of none.
    for node in nodes.isEmpty ? [Node("empty")] : nodes { change(node, context) }
    return nodes
  }
}

/// The side of a row.
public enum HorizontalEdge: Int8, Sendable { case leading, trailing }

/// The side of a view.
public enum VerticalEdge: Int8, Sendable { case top, bottom }

/// Where a view is in another one.
public struct Alignment: Equatable, Sendable {
  public static let center = Alignment()
  public static let top = Alignment()
}

/// Whether something is shown.
public enum Visibility: Sendable { case automatic, visible, hidden }

/// Where lines start.
public enum TextAlignment: Sendable { case leading, center, trailing }

/// How a change is shown.
public struct Animation: Equatable, Sendable {
  public static let `default` = Animation()
}

/// A style of foregrounds.
public protocol ShapeStyle: Sendable {}

/// The styles of foregrounds in order of weight.
public struct HierarchicalShapeStyle: ShapeStyle {}

extension ShapeStyle where Self == HierarchicalShapeStyle {
  public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
}

/// The number of changes that were animated.
@MainActor public private(set) var animatedChanges = 0

/// Animates a change.
@MainActor public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
  animatedChanges += 1
  return try body()
}

extension View {
  private func modified(_ change: @escaping (Node) -> Void) -> some View {
    Modified(content: self) { node, _ in change(node) }
  }

  public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    modified { node in
      let earlier = node.onAppear
      node.onAppear = {
        earlier?()
        action?()
      }
    }
  }

  public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    modified { node in
      let earlier = node.onDisappear
      node.onDisappear = {
        earlier?()
        action?()
      }
    }
  }

  public func task<ID: Equatable>(
    id: ID, _ action: @escaping @MainActor () async -> Void
  ) -> some View { modified { $0.task = action } }

  public func refreshable(
    action: @escaping @Sendable () async -> Void
  ) -> some View { modified { $0.refresh = action } }

  public func overlay<Content: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> Content
  ) -> some View {
    let view = content()
    return Modified(content: self) { node, context in
      node.overlay += view.evaluated(context.at("overlay"))
    }
  }

  public func safeAreaInset<Content: View>(
    edge: VerticalEdge, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) -> some View {
    let view = content()
    return Modified(content: self) { node, context in
      node.inset[edge, default: []] += view.evaluated(context.at("inset\(edge)"))
    }
  }

  public func swipeActions<Content: View>(
    edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true,
    @ViewBuilder content: () -> Content
  ) -> some View {
    let view = content()
    return Modified(content: self) { node, context in
      node.swipe[edge] = view.evaluated(context.at("swipe\(edge)"))
    }
  }

  public func deleteDisabled(_ isDisabled: Bool) -> some View {
    modified { $0.isDeleteDisabled = isDisabled }
  }
  public func moveDisabled(_ isDisabled: Bool) -> some View {
    modified { $0.isMoveDisabled = isDisabled }
  }
  public func id<ID: Hashable>(_ id: ID) -> some View { Identified(content: self, id: id) }
  public func frame(
    minWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
    maxHeight: CGFloat? = nil, alignment: Alignment = .center
  ) -> some View { self }
  public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View { self }
  public func padding() -> some View { self }
  public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { self }
  public func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> some View { self }
  public func listRowSeparator(_ visibility: Visibility) -> some View { self }
}

/// A view whose states belong to an id.
struct Identified<Content: View, ID: Hashable>: NoBody, PrimitiveView {
  let content: Content
  let id: ID
  func nodes(_ context: Context) -> [Node] { content.evaluated(context.at("\(id)")) }
}

/// Scrolls to a view by its id.
@MainActor public final class ScrollViewProxy {
  public func scrollTo<ID: Hashable>(_ id: ID) { Self.last = AnyHashable(id) }
  /// The id that was scrolled to last.
  public static var last: AnyHashable?
}

/// Gives its content the means to scroll.
public struct ScrollViewReader<Content: View>: NoBody, PrimitiveView {
  private let content: (ScrollViewProxy) -> Content
  public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) {
    self.content = content
  }
  func nodes(_ context: Context) -> [Node] { content(ScrollViewProxy()).evaluated(context) }
}
