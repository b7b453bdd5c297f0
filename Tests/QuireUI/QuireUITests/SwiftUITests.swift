import Foundation
import Quire
import QuireTesting
import SwiftUI
import Testing

@testable import QuireUIUnderTest

/// What is special about a list in SwiftUI.
@MainActor @Suite struct SwiftUITests {
  @Test func `headers and footers are drawn by their kinds`() {
    let controller = ListController(LocalList([Row(id: 1, group: 1), Row(id: 2, group: 2)])) {
      $0.rows.section = { row in
        SectionLabel(
          row.group, header: "group \(row.group)", footer: row.group == 1 ? "end" : nil,
          headerKind: row.group == 1 ? "banner" : "unknown",
          footerKind: row.group == 1 ? nil : "count")
      }
    }
    let host = SwiftUI.Host {
      QuireList(controller) { Text("\($0)") }
        .sectionView("banner") { Text("★ \($0.header ?? "")") }
        .sectionView("count") { Text("\($0.rows.count) rows") }
    }
    let sections = host.evaluate().all("section")
    #expect(sections.map { $0.all("header").flatMap(\.texts) } == [["★ group 1"], ["group 2"]])
    #expect(sections.map { $0.all("footer").flatMap(\.texts) } == [["end"], ["1 rows"]])
  }

  @Test func `a list that has left the screen isn't reached by its views`() async {
    let world = ListWorld(Shelf(12)) { $0.refresh.footerTrigger = .pulling }
    world.swipes = [RowAction.Swipe("loud", title: "Loud")]
    let screen = SwiftUIScreen(world)
    await world.settle()
    #expect(screen.difference() == nil && world.shows == [0: 1, 1: 1, 2: 1, 3: 1, 4: 1])
    let list = screen.list
    let rows = list.all("section")[0].children.filter { $0.kind == "each" }
    let shown = world.texts
    screen.disappear()
    #expect(world.shows.values.allSatisfy { $0 == 0 } && world.controller.view == nil)
    world.actions = []

    // SwiftUI may say of rows that they go, or come, when their list has gone.
    for row in rows.prefix(2) { row.children.first?.onDisappear?() }
    rows[0].children.first?.onAppear?()
    screen.swipe(RowPosition(row: 0))
    screen.delete(RowPosition(row: 1))
    await screen.move(RowPosition(row: 0), to: RowPosition(row: 2)) {}
    screen.tapFooter()
    await list.refresh?()
    await world.settle()
    #expect(world.actions.isEmpty && world.texts == shown && world.controller.header == .idle)
    #expect(world.shows.values.allSatisfy { $0 == 0 })

    screen.appear()
    #expect(world.shows == [0: 1, 1: 0, 2: 1, 3: 1, 4: 1])
    #expect(screen.difference() == nil && world.shows.values.allSatisfy { $0 == 1 })
    screen.tapFooter()
    await world.settle()
    #expect(world.texts.joined().count == 10 && screen.difference() == nil)
  }

  @Test func `the picture of a placeholder is loaded over the server of the list`() async throws {
    let transport = MockTransport { request in
      request.url.path == "/rows" ? .json("[]") : .text("88x44")
    }
    let model = ListModel<Row>(
      Server("https://test", transport: transport) { $0.headers = ["App": "1"] }, "/rows",
      paging: .single)
    let controller = ListController(model) {
      $0.placeholders.parts = { _, parts in
        var parts = parts
        parts.image = .address("/empty.png")
        return parts
      }
    }
    _ = await model.refresh().outcome
    let host = SwiftUI.Host { QuireList(controller) { Text("\($0)") } }
    let stack = host.evaluate().all("stack").last
    #expect(stack?.children.isEmpty == true)
    for _ in 0..<2 { await stack?.task?() }
    #expect(host.evaluate().all("image").map(\.text) == ["88×44"])
    let pictures = transport.requests.filter { $0.url.path == "/empty.png" }
    #expect(pictures.count == 1 && pictures.first?.headers["App"] == "1")
  }
}
