#if canImport(SwiftUI)
  internal import Foundation
  internal import Quire
  internal import SwiftUI

  #if canImport(UIKit) && !os(tvOS) && !os(watchOS)
    internal import UIKit
  #endif

  /// The footer of a list as its last row.
  struct ListFooter<Item>: View {
    let list: ListController<Item>
    let parts: ListParts<Item>
    let bridge: ListBridge

    var body: some View {
      if list.footer == .hidden {
        EmptyView()
      } else if let footer = parts.footer {
        footer(list.footer)
      } else {
        StandardFooter(state: list.footer, text: list.settings.placeholders.texts.footer(list.footer) ?? "") {
          if bridge.isOnScreen { list.loadMore() }
        }
        .frame(maxWidth: .infinity)
        .withoutRowSeparator()
      }
    }
  }

  /// A spinner while a page loads, otherwise a text. A tap loads the next page, or retries the one that failed.
  struct StandardFooter: View {
    let state: FooterState
    let text: String
    let onTap: () -> Void

    var body: some View {
      switch state {
      case .hidden: EmptyView()
      case .loading: ProgressView()
      case .noMore:
        Text(text).foregroundStyle(.secondary)
      case .idle, .triggered, .failed:
        Button(text) { onTap() }
      }
    }
  }

  /// Says above the rows that they could not be refreshed. A tap tries again.
  struct RefreshFailure<Item>: View {
    let list: ListController<Item>
    let parts: ListParts<Item>
    let bridge: ListBridge

    var body: some View {
      if let error = list.refreshFailure {
        Banner(text: list.settings.placeholders.texts.refreshFailed, custom: parts.refreshFailure?(error)) {
          if bridge.isOnScreen { list.refresh() }
        }
      }
    }
  }

  /// Says over the first visible rows how many rows are new above the list. A tap shows them.
  struct NewRowsBanner<Item>: View {
    let list: ListController<Item>
    let parts: ListParts<Item>
    let bridge: ListBridge

    var body: some View {
      if let newRows = list.newRows {
        Banner(text: list.settings.placeholders.texts.newRows(newRows), custom: parts.newRows?(newRows)) {
          if bridge.isOnScreen { list.showNewRows() }
        }
      }
    }
  }

  /// A text above the rows, or a view of the program in its place. A tap on the text acts on it.
  private struct Banner: View {
    let text: String
    let custom: AnyView?
    let onTap: () -> Void

    var body: some View {
      if let custom {
        custom
      } else if !text.isEmpty {
        Button(text) { onTap() }
          .padding()
      }
    }
  }

  /// The placeholder of a list, which covers it.
  struct PlaceholderOverlay<Item>: View {
    let list: ListController<Item>
    let parts: ListParts<Item>
    let bridge: ListBridge

    var body: some View {
      if let placeholder = list.placeholder {
        if let custom = parts.placeholder {
          custom(placeholder)
        } else if case .parts(let content) = placeholder.body {
          StandardPlaceholder(
            content: content, placeholder: placeholder,
            picture: PlaceholderImage(image: content.image, list: list, bridge: bridge)
          ) {
            if bridge.isOnScreen { list.performPlaceholderAction() }
          }
        }
      }
    }
  }

  /// Spinner or picture, message and button, one below the other.
  struct StandardPlaceholder<Item>: View {
    let content: Placeholder.Content
    let placeholder: Placeholder
    let picture: PlaceholderImage<Item>
    let onAction: () -> Void

    var body: some View {
      GeometryReader { geometry in
        VStack(spacing: placeholder.spacing) {
          if content.isBusy { ProgressView() }
          picture
          if let message = content.message {
            Text(message).multilineTextAlignment(.center).foregroundStyle(.secondary)
          }
          if let action = content.action { Button(action.title) { onAction() } }
        }
        .padding()
        .position(
          x: geometry.size.width / 2,
          y: placeholder.center(in: geometry.size.height, offset: content.offset))
      }
    }
  }

  /// The picture of a placeholder. One at an address is loaded over the server of the list.
  struct PlaceholderImage<Item>: View {
    let image: RowContent.Image?
    let list: ListController<Item>
    let bridge: ListBridge

    #if canImport(UIKit) && !os(tvOS) && !os(watchOS)
      @State private var picture: UIImage?

      var body: some View {
        if case .address(let address)? = image {
          VStack {
            if let picture { Image(uiImage: picture) }
          }
          .task(id: address) { picture = await bridge.pictures(of: list).loaded(address) }
        } else {
          RowImage(image: image)
        }
      }
    #else
      var body: some View { RowImage(image: image) }
    #endif
  }

  /// A picture of the program's resources or at a URL.
  struct RowImage: View {
    let image: RowContent.Image?

    var body: some View {
      switch image {
      case nil: EmptyView()
      case .named(let name)?: Image(name)
      case .address(let address)?: AsyncImage(url: URL(string: address))
      }
    }
  }

  extension View {
    /// Hides the line around a row, where rows have one.
    fileprivate func withoutRowSeparator() -> some View {
      #if os(tvOS) || os(watchOS)
        self
      #else
        listRowSeparator(.hidden)
      #endif
    }
  }
#endif
