// Prints who a token belongs to.
// swift run SignedIn https://api.example.com TOKEN
import Quire

struct Me: Decodable { let name, plan: String }

let arguments = CommandLine.arguments + ["", ""]
let server = Server(arguments[1]) { $0.authentication = .bearer(arguments[2]) }
do {
  let me = try await server.send(Call("/me"), as: Me.self)
  print("\(me.name) has the plan \(me.plan)")
} catch { print("can't sign in: \(error)") }
