public import Foundation

#if canImport(UIKit)
  public import UIKit
#endif

/// A text.
public struct Text: NoBody, PrimitiveView {
  private let content: String
  public init<Content: StringProtocol>(_ content: Content) { self.content = String(content) }
  func nodes(_ context: Context) -> [Node] { [Node("text", content)] }
}

/// A picture in the program's resources.
public struct Image: NoBody, PrimitiveView {
  private let name: String
  public init(_ name: String) { self.name = name }
  #if canImport(UIKit)
    public init(uiImage: UIImage) { name = "\(Int(uiImage.size.width))×\(Int(uiImage.size.height))" }
  #endif
  func nodes(_ context: Context) -> [Node] { [Node("image", name)] }
}

/// A picture at a URL.
public struct AsyncImage: NoBody, PrimitiveView {
  private let url: URL?
  public init(url: URL?) { self.url = url }
  func nodes(_ context: Context) -> [Node] { [Node("picture", url?.absoluteString ?? "")] }
}

/// A spinner.
public struct ProgressView: NoBody, PrimitiveView {
  public init() {}
  func nodes(_ context: Context) -> [Node] { [Node("progress")] }
}

/// The purpose of a button.
public struct ButtonRole: Equatable, Sendable {
  private let name: String
  public static let destructive = ButtonRole(name: "destructive")
}

/// A button.
public struct Button<Label: View>: NoBody, PrimitiveView {
  private let role: ButtonRole?
  private let action: @MainActor () -> Void
  private let label: Label

  public init(
    role: ButtonRole? = nil, action: @escaping @MainActor () -> Void,
    @ViewBuilder label: () -> Label
  ) {
    self.role = role
    self.action = action
    self.label = label()
  }

  func nodes(_ context: Context) -> [Node] {
    let node = Node("button", role == nil ? "" : "destructive", label.evaluated(context))
    node.action = action
    return [node]
  }
}

extension Button where Label == Text {
  public init<Title: StringProtocol>(_ title: Title, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(title) }
  }
}

/// Views below each other.
public struct VStack<Content: View>: NoBody, PrimitiveView {
  private let content: Content
  public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
    self.content = content()
  }
  func nodes(_ context: Context) -> [Node] { [Node("stack", "", content.evaluated(context))] }
}

/// Views that are treated as one.
public struct Group<Content: View>: NoBody, PrimitiveView {
  private let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  func nodes(_ context: Context) -> [Node] { content.evaluated(context) }
}

/// The size that a view is offered.
public struct GeometryProxy {
  public let size: CGSize
}

/// A view that depends on its size.
public struct GeometryReader<Content: View>: NoBody, PrimitiveView {
  private let content: (GeometryProxy) -> Content
  public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {
    self.content = content
  }
  func nodes(_ context: Context) -> [Node] {
    content(GeometryProxy(size: CGSize(width: 320, height: 480))).evaluated(context)
  }
}

/// Rows.
public struct List<Content: View>: NoBody, PrimitiveView {
  private let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  func nodes(_ context: Context) -> [Node] {
    [Node("list", "", content.evaluated(context.at("list")))]
  }
}

/// Rows that belong together, with titles.
public struct Section<Parent: View, Content: View, Footer: View>: NoBody, PrimitiveView {
  private let content: Content
  private let header: Parent
  private let footer: Footer

  public init(
    @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent,
    @ViewBuilder footer: () -> Footer
  ) {
    self.content = content()
    self.header = header()
    self.footer = footer()
  }

  func nodes(_ context: Context) -> [Node] {
    let titles = Node("header", "", header.evaluated(context.at("header")))
    let end = Node("footer", "", footer.evaluated(context.at("footer")))
    return [Node("section", "", [titles] + content.evaluated(context) + [end])]
  }
}

/// A view for each element.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View> {
  private let data: Data
  private let id: KeyPath<Data.Element, ID>
  private let content: (Data.Element) -> Content
}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    self.init(data: data, id: \.id, content: content)
  }
}

extension ForEach: View, NoBody, PrimitiveView {
  public typealias Body = Never

  func nodes(_ context: Context) -> [Node] {
    let ids = data.map { $0[keyPath: id] }
    guard Set(ids).count == ids.count else {
      fatalError("ForEach: an id occurs multiple times within the collection: \(ids)")
    }
    return zip(ids, data).map { id, element in
      let node = Node("each", "", content(element).evaluated(context.at("\(id)")))
      node.id = AnyHashable(id)
      return node
    }
  }
}

/// Views that `ForEach` makes, which can be edited.
@MainActor public protocol DynamicViewContent: View {}

extension ForEach: DynamicViewContent {}

extension DynamicViewContent {
  public func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent {
    DynamicModified(content: self) { $0.onDelete = action }
  }
  public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some DynamicViewContent {
    DynamicModified(content: self) { $0.onMove = action }
  }
}

/// Views with a modifier.
struct DynamicModified<Content: View>: DynamicViewContent, NoBody, PrimitiveView {
  let content: Content
  let change: (Node) -> Void
  func nodes(_ context: Context) -> [Node] {
    let nodes = content.evaluated(context)
    nodes.forEach(change)
    return nodes
  }
}
