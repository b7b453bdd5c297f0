/// The version of the package, used in the `User-Agent` of requests, in `quire --version` and in the manual
/// page.
package enum Version {
  package static let text = "0.1.0"
}
