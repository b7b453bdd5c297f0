// swift-tools-version: 6.2

import Foundation
import PackageDescription

/// As in the package above.
let strict = ProcessInfo.processInfo.environment["QUIRE_STRICT"] == "1"

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "Benchmarks", targets: ["Benchmarks"]),
    .library(name: "MallocCounter", type: .dynamic, targets: ["CMallocCounter"]),
  ],
  dependencies: [.package(name: "Quire", path: "..")],
  targets: [
    .target(name: "CCounting"),
    .target(name: "CMallocCounter"),
    .target(
      name: "CPeer", linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("simdjson")]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CCounting", "CPeer", .product(name: "Quire", package: "Quire"),
        .product(name: "QuireTesting", package: "Quire"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ] + (strict ? [.treatAllWarnings(as: .error)] : [])),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
