import Foundation
import Quire
import SwiftUI

@testable import QuireUIUnderTest

/// A list in SwiftUI. The view is evaluated again whenever a test looks at it.
@MainActor final class SwiftUIScreen: TestScreen {
  let world: ListWorld
  private var host: SwiftUI.Host<QuireList<Row, Text>>
  private(set) var isAttached = false
  /// The rows that have appeared, by their ids.
  private var appeared: [AnyHashable: Node] = [:]

  init(_ world: ListWorld) {
    self.world = world
    host = Self.host(world)
    appear()
  }

  private static func host(_ world: ListWorld) -> SwiftUI.Host<QuireList<Row, Text>> {
    SwiftUI.Host { QuireList(world.controller) { Text("\($0)") } }
  }

  var list: Node { host.evaluate().all("list")[0] }

  /// The rows of each section.
  private func rows(_ list: Node) -> [[Node]] {
    list.all("section").map { section in section.children.filter { $0.kind == "each" } }
  }

  func difference() -> String? {
    let list = list
    let rows = rows(list)
    let texts = rows.map { $0.map { $0.texts.first ?? "" } }
    guard texts == world.texts else { return "\(texts) is shown, not \(world.texts)" }
    let titles = list.all("section").map { $0.all("header").isEmpty ? [] : $0.children[0].texts }
    let expected = world.controller.sections.sections.map { $0.header.map { [$0] } ?? [] }
    guard titles == expected else { return "the titles are \(titles), not \(expected)" }
    follow(rows)
    return surroundings(list)
  }

  /// Lets the first rows appear, and others disappear.
  private func follow(_ rows: [[Node]]) {
    guard isAttached else { return }
    let visible = rows.joined().prefix(8)
    let ids = Set(visible.compactMap(\.id))
    for (id, node) in appeared where !ids.contains(id) {
      node.children.first?.onDisappear?()
      appeared[id] = nil
    }
    for node in visible {
      guard let id = node.id else { continue }
      if appeared.updateValue(node, forKey: id) == nil { node.children.first?.onAppear?() }
    }
  }

  private func surroundings(_ list: Node) -> String? {
    let controller = world.controller
    let message: String? =
      if case .parts(let parts)? = controller.placeholder?.body { parts.message } else { nil }
    var shown = Node.texts(of: list.overlay)
    if let newRows = controller.newRows, shown.popLast() != "\(newRows)" {
      return "the new rows are \(newRows), not \(shown)"
    }
    if (shown.first ?? nil) != message {
      return "the placeholder says \(shown), not \(message as Any)"
    }
    if (failure(list) != nil) != (controller.refreshFailure != nil) {
      return "the failure of a refresh is \(controller.refreshFailure as Any)"
    }
    let footer = footer(list)
    let expected =
      switch controller.footer {
      case .hidden: 0
      default: 1
      }
    return footer.count == expected ? nil : "the footer of \(controller.footer) is \(footer.count)"
  }

  private func footer(_ list: Node) -> [Node] {
    list.children.filter { ["button", "text", "progress"].contains($0.kind) }
  }

  func cell(at position: RowPosition) -> AnyObject? { nil }
  var firstVisibleText: String? { nil }
  func appear() {
    list.onAppear?()
    isAttached = true
  }

  func disappear() {
    list.onDisappear?()
    isAttached = false
    appeared = [:]
  }

  func attach() { if !isAttached { appear() } }
  func detach() { if isAttached { disappear() } }
  func resize(to width: Double) {}

  func scroll(to part: Double) {
    let all = Array(rows(list).joined())
    guard !all.isEmpty, isAttached else { return }
    let number = Int(part * Double(all.count - 1))
    all[min(max(0, number), all.count - 1)].children.first?.onAppear?()
  }

  func pull() async {
    guard isAttached else { return }
    await list.refresh?()
  }

  var footerText: String? { footer(list).first?.texts.first }
  func tapFooter() { footer(list).first?.action?() }
  private func failure(_ list: Node) -> Node? { Node.buttons(of: list.inset[.top] ?? []).first }
  var failureText: String? { failure(list)?.texts.first }
  func tapFailure() { failure(list)?.action?() }
  var newRowsText: String? {
    world.controller.newRows.flatMap { _ in Node.texts(of: list.overlay).last }
  }
  func tapNewRows() { Node.buttons(of: list.overlay).last?.action?() }
  func tapPlaceholder() { list.overlay.flatMap { $0.all("button") }.first?.action?() }

  private func node(at position: RowPosition) -> Node? {
    let rows = rows(list)
    guard rows.indices.contains(position.section) else { return nil }
    let section = rows[position.section]
    return section.indices.contains(position.row) ? section[position.row] : nil
  }

  func delete(_ position: RowPosition) {
    guard let node = node(at: position), node.children.first?.isDeleteDisabled == false else {
      return
    }
    node.onDelete?(IndexSet(integer: position.row))
  }

  func move(_ from: RowPosition, to: RowPosition, meanwhile: () async -> Void) async {
    // SwiftUI moves rows within their section.
    let node = node(at: from)
    await meanwhile()
    guard node?.children.first?.isMoveDisabled == false, from.section == to.section else { return }
    node?.onMove?(IndexSet(integer: from.row), to.row > from.row ? to.row + 1 : to.row)
  }

  func swipe(_ position: RowPosition) {
    node(at: position)?.children.first?.swipe[.leading]?.first?.children.first?.action?()
  }

  func renew() {
    disappear()
    host = Self.host(world)
    appear()
  }
}

extension Node {
  static func buttons(of nodes: [Node]) -> [Node] {
    nodes.flatMap { ($0.kind == "button" ? [$0] : []) + $0.all("button") }
  }

  static func texts(of nodes: [Node]) -> [String] {
    nodes.flatMap { ($0.kind == "text" ? [$0.text] : []) + $0.texts }
  }
}
