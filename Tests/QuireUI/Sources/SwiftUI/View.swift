public import Foundation

/// A part of a user interface. Here it is evaluated into a ``Node`` tree, which tests read.
@MainActor public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

/// A view without a body, which knows its nodes.
@MainActor protocol PrimitiveView {
  func nodes(_ context: Context) -> [Node]
}

extension Never: View {
  public typealias Body = Never
  public var body: Never { fatalError("a primitive view has no body") }
}

/// A view whose body is never asked for.
@MainActor public protocol NoBody: View where Body == Never {}

extension NoBody {
  public var body: Never { fatalError("a primitive view has no body") }
}

/// What a view looks like after evaluation, with the closures that a user can call.
@MainActor public final class Node {
  public let kind: String
  public var text = ""
  public var children: [Node]
  public var action: (() -> Void)?
  public var onAppear: (() -> Void)?
  public var onDisappear: (() -> Void)?
  public var refresh: (@Sendable () async -> Void)?
  public var task: (@MainActor () async -> Void)?
  public var swipe: [HorizontalEdge: [Node]] = [:]
  public var overlay: [Node] = []
  public var inset: [VerticalEdge: [Node]] = [:]
  public var onDelete: ((IndexSet) -> Void)?
  public var onMove: ((IndexSet, Int) -> Void)?
  public var isDeleteDisabled = false
  public var isMoveDisabled = false
  public var id: AnyHashable?

  init(_ kind: String, _ text: String = "", _ children: [Node] = []) {
    self.kind = kind
    self.text = text
    self.children = children
  }

  /// All nodes below of a kind, from first to last, with those of overlays.
  public func all(_ kind: String) -> [Node] {
    (children + overlay).flatMap { ($0.kind == kind ? [$0] : []) + $0.all(kind) }
  }

  /// The texts below, from first to last.
  public var texts: [String] {
    (kind == "text" ? [text] : []) + (children + overlay).flatMap(\.texts)
  }
}

/// Where states of views are kept between evaluations.
@MainActor public final class Host<Root: View> {
  private let root: () -> Root
  private let states = States()

  public init(_ root: @escaping () -> Root) { self.root = root }

  /// Evaluates the view again.
  public func evaluate() -> Node {
    Node("root", "", root().evaluated(Context(path: "", states: states)))
  }
}

/// The states of views, by their places in the tree.
@MainActor final class States {
  var values: [String: AnyObject] = [:]
}

/// The place of a view in the tree.
@MainActor struct Context {
  var path: String
  let states: States

  func at(_ step: String) -> Context { Context(path: path + "/" + step, states: states) }
}

extension View {
  func evaluated(_ context: Context) -> [Node] {
    if let primitive = self as? any PrimitiveView { return primitive.nodes(context) }
    let place = context.at("\(Self.self)")
    for child in Mirror(reflecting: self).children {
      guard let state = child.value as? any StoredState else { continue }
      state.connect(place.path + "." + (child.label ?? ""), place.states)
    }
    return body.evaluated(place)
  }
}

/// A value that SwiftUI keeps for a view.
@propertyWrapper @MainActor public struct State<Value> {
  private let location: Location<Value>
  public init(wrappedValue value: Value) { location = Location(value) }
  public var wrappedValue: Value {
    get { location.box.value }
    nonmutating set { location.box.value = newValue }
  }
}

@MainActor private final class Location<Value> {
  var box: Box<Value>
  init(_ value: Value) { box = Box(value) }
}

@MainActor private final class Box<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}

@MainActor protocol StoredState {
  func connect(_ key: String, _ states: States)
}

extension State: StoredState {
  func connect(_ key: String, _ states: States) {
    if let box = states.values[key] as? Box<Value> {
      location.box = box
    } else {
      states.values[key] = location.box
    }
  }
}

/// Builds views out of statements.
@resultBuilder @MainActor public enum ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> {
    var views: [any View] = []
    for view in repeat each content { views.append(view) }
    return TupleView(views)
  }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<First: View, Second: View>(
    first: First
  ) -> _ConditionalContent<First, Second> { _ConditionalContent(first, isFirst: true) }
  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> _ConditionalContent<First, Second> { _ConditionalContent(second, isFirst: false) }
}

/// One of two views.
public struct _ConditionalContent<First, Second>: NoBody, PrimitiveView {
  private let view: any View
  private let isFirst: Bool
  init(_ view: any View, isFirst: Bool) {
    self.view = view
    self.isFirst = isFirst
  }
  func nodes(_ context: Context) -> [Node] { view.evaluated(context.at(isFirst ? "if" : "else")) }
}

/// Several views.
public struct TupleView<Content>: NoBody, PrimitiveView {
  private let views: [any View]
  init(_ views: [any View]) { self.views = views }
  func nodes(_ context: Context) -> [Node] {
    views.enumerated().flatMap { $1.evaluated(context.at("\($0)")) }
  }
}

extension Optional: View, NoBody where Wrapped: View {
  public typealias Body = Never
}

extension Optional: PrimitiveView where Wrapped: View {
  func nodes(_ context: Context) -> [Node] { self?.evaluated(context.at("some")) ?? [] }
}

/// No view.
public struct EmptyView: NoBody, PrimitiveView {
  public init() {}
  func nodes(_ context: Context) -> [Node] { [] }
}

/// A view of any type.
public struct AnyView: NoBody, PrimitiveView {
  private let view: any View
  public init<Content: View>(_ view: Content) { self.view = view }
  func nodes(_ context: Context) -> [Node] { view.evaluated(context) }
}
