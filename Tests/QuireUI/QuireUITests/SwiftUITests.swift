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
}
