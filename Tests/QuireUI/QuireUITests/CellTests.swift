import Foundation
import Quire
import QuireTesting
import Testing
import UIKit

@testable import QuireUIUnderTest

/// The cells of rows: their classes and nibs, pictures and accessories.
@MainActor @Suite struct CellTests {
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 300))

  private final class NibCell: UITableViewCell {}
  private final class NibItem: UICollectionViewCell {}

  @Test func `a nib that the program has registered stays`() {
    let table = UITableView(frame: window.bounds, style: .plain)
    window.addSubview(table)
    table.register(UINib(NibCell.self), forCellReuseIdentifier: CellKind.standard.rawValue)
    let binding = ListTableBinding(ListController(LocalList([Row(id: 1), Row(id: 2)])), in: table)
    table.layoutIfNeeded()
    #expect(table.visibleCells.count == 2 && table.visibleCells.allSatisfy { $0 is NibCell })

    binding.register(UINib(UITableViewCell.self), for: .standard)
    table.reloadData()
    table.layoutIfNeeded()
    let other = UICollectionView(
      frame: window.bounds, collectionViewLayout: UICollectionViewFlowLayout())
    let items = ListCollectionBinding(ListController(LocalList([Row(id: 1)])), in: other)
    items.register(UINib(NibItem.self), for: .standard)
    window.addSubview(other)
    other.layoutIfNeeded()
    #expect(other.cellForItem(at: IndexPath(item: 0, section: 0)) is NibItem)
  }

  // MARK: - Pictures

  /// A list of a server that has pictures, too.
  private func list(
    _ content: @escaping @MainActor @Sendable (Row) -> RowContent
  ) -> (ListController<Row>, MockTransport, ListModel<Row>) {
    let transport = MockTransport { request in
      guard request.url.path.hasSuffix(".png") else {
        return .json(#"[{"id":1,"group":0,"text":""},{"id":2,"group":0,"text":""}]"#)
      }
      return request.url.path.hasSuffix("missing.png") ? .status(404) : .text("88x44")
    }
    let model = ListModel<Row>(
      Server("https://test", transport: transport) { $0.retry = .never }, "/rows", paging: .single)
    return (ListController(model, kinds: CellKinds { $0.content = content }), transport, model)
  }

  @Test(arguments: [false, true])
  func `a row has the picture at its address, and its accessory`(isTable: Bool) async throws {
    let (list, transport, model) = list { row in
      RowContent(
        "\(row.id)", image: .address("https://test/a.png"),
        accessory: row.id == 1 ? .address("/b.png") : nil)
    }
    _ = await model.refresh().outcome
    let view: UIScrollView
    let binding: AnyObject
    if isTable {
      let table = UITableView(frame: window.bounds, style: .plain)
      (view, binding) = (table, ListTableBinding(list, in: table))
    } else {
      let items = UICollectionView(
        frame: window.bounds, collectionViewLayout: UICollectionViewFlowLayout())
      (view, binding) = (items, ListCollectionBinding(list, in: items))
    }
    window.addSubview(view)
    view.layoutIfNeeded()
    func content(_ row: Int) -> (UIImage?, UIView?) {
      if let table = view as? UITableView {
        let cell = table.cellForRow(at: IndexPath(row: row, section: 0))
        let content = cell?.contentConfiguration as? UIListContentConfiguration
        return (content?.image, cell?.accessoryView)
      }
      let items = view as? UICollectionView
      let cell = items?.cellForItem(at: IndexPath(item: row, section: 0))
      let content = cell?.contentConfiguration as? UIListContentConfiguration
      let accessory = (cell as? UICollectionViewListCell)?.accessories.first
      guard case .customView(let shown)? = accessory?.accessoryType else { return (content?.image, nil) }
      return (content?.image, shown)
    }
    #expect(content(0).0 == nil && content(0).1 == nil)
    for _ in 0..<1_000 where content(1).0 == nil || content(0).1 == nil { await Task.yield() }
    #expect(content(0).0?.size.width == 88 && content(1).0?.size.width == 88)
    // The picture is as wide as there is room.
    #expect(content(0).1?.frame.size == CGSize(width: 44, height: 22) && content(1).1 == nil)
    // Both rows have one picture, which is loaded once.
    #expect(transport.requests.map(\.url.path).sorted() == ["/a.png", "/b.png", "/rows"])
    withExtendedLifetime(binding) {}
  }

  @Test func `a picture that can't be loaded is tried again when its row is drawn again`() async {
    let (list, transport, model) = list { _ in RowContent("", image: .address("/missing.png")) }
    _ = await model.refresh().outcome
    let table = UITableView(frame: window.bounds, style: .plain)
    window.addSubview(table)
    let binding = ListTableBinding(list, in: table)
    for count in 2...3 {
      table.reloadData()
      table.layoutIfNeeded()
      for _ in 0..<1_000 where transport.requests.count < count { await Task.yield() }
      for _ in 0..<100 { await Task.yield() }
      #expect(transport.requests.count == count)
    }
    // A program that draws its pictures loads them itself.
    binding.drawing.image = { _ in UIImage(named: "cover") }
    table.reloadData()
    table.layoutIfNeeded()
    let cell = table.visibleCells.first?.contentConfiguration as? UIListContentConfiguration
    #expect(cell?.image?.name == "cover" && transport.requests.count == 3)
  }
}
