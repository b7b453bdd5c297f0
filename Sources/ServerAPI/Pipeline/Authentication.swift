/// Where the credentials of a server come from.
public struct Authentication: Sendable {
}
