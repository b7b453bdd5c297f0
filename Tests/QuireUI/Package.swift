// swift-tools-version: 6.2

import Foundation
import PackageDescription

// Compiles `Sources/QuireUI` on Linux and runs it. `UIKit` and `SwiftUI` are stand-ins here: they declare the
// parts of Apple's frameworks that QuireUI uses, as Apple documents them, and behave as far as the tests look.
// They are in a package of their own, so that no user of Quire gets them. `make test-ui` runs the tests.
//
// `Sources/QuireUI` is a link to the folder of the main package. Its module has another name here, because the names
// of all targets must differ. `Sources/SelfTest` is a link to an app for devices, which is compiled here alone.

let strict = ProcessInfo.processInfo.environment["QUIRE_STRICT"] == "1"

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (strict ? [.treatAllWarnings(as: .error)] : [])

let package = Package(
  name: "QuireUITests",
  platforms: [.iOS(.v18), .macOS(.v15)],
  dependencies: [.package(name: "Quire", path: "../..")],
  targets: [
    .target(name: "UIKit", swiftSettings: settings),
    .target(name: "SwiftUI", dependencies: ["UIKit"], swiftSettings: settings),
    .target(
      name: "QuireUIUnderTest",
      dependencies: ["UIKit", "SwiftUI", .product(name: "Quire", package: "Quire")],
      path: "Sources/QuireUI",
      swiftSettings: settings),
    // The app is for devices. Here it is compiled, and its proofs are run.
    .target(
      name: "SelfTest",
      dependencies: [
        "QuireUIUnderTest", "UIKit", "SwiftUI", .product(name: "Quire", package: "Quire"),
        .product(name: "QuireTesting", package: "Quire"),
        .product(name: "URLSessionTransport", package: "Quire"),
      ],
      path: "Sources/SelfTest", exclude: ["README.md"],
      swiftSettings: settings + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
    .testTarget(
      name: "QuireUITests",
      dependencies: [
        "QuireUIUnderTest", "SelfTest", "UIKit", "SwiftUI",
        .product(name: "Quire", package: "Quire"),
        .product(name: "QuireTesting", package: "Quire"),
      ],
      path: "QuireUITests",
      // Swift Testing adds images of Apple's UIKit to a file that imports both.
      swiftSettings: settings + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
