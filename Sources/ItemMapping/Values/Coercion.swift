/// Reads scalars: one table for items, paths and `Decodable` values alike.
///
/// | on the tape | for | lenient | strict |
/// |---|---|---|---|
/// | a number that fits | a number | exact | exact |
/// | an integer beyond the digits of a `Double` or `Float` | that | inexact | inexact |
/// | a number with more digits than a `Decimal` has | a `Decimal` | inexact | inexact |
/// | a number beyond the type | a number | out of range | out of range |
/// | `1.0`, `1e3` | an integer | converted | fraction |
/// | `1.5` | an integer | fraction | fraction |
/// | `"42"` | a number | converted | wrong type |
/// | `"1.0"` | an integer | converted | wrong type |
/// | `"3.14"` | an integer | fraction | wrong type |
/// | `""` | a number, a `Bool` | empty | wrong type |
/// | `"abc"`, `" 42"`, `"+42"`, `"nan"` | a number | unreadable | wrong type |
/// | `true` | a number | wrong type, or converted where asked for | wrong type |
/// | `0`, `1`, `"0"`, `"1"`, `"true"`, `"false"` | a `Bool` | converted | wrong type |
/// | another number | a `Bool` | out of range | wrong type |
/// | another string, such as `"yes"` | a `Bool` | unreadable | wrong type |
/// | an integer, `1.5` | a `String` | converted | wrong type |
/// | `1.10`, which becomes `"1.1"` | a `String` | inexact | wrong type |
/// | `true` | a `String` | wrong type | wrong type |
/// | `null`, an array, an object | anything | wrong type | wrong type |
///
/// Each function tests for the very type first, small enough to be inlined, and leaves the rest to
/// a second one that is out of the way. A number is asked for its text only where nothing else
/// tells: the first such question costs a pass over the document. So `-0` is plain 0, and a
/// fraction that is lost in the nearest `Double`, as in `1.00000000000000000001`, goes unnoticed.
enum Coercion {}
