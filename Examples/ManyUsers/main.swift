// Adds up the orders of many users, each with tokens of their own.
// swift run ManyUsers https://api.example.com ann bob …
import Foundation
import Quire

struct Order: Decodable {
  let amount: Decimal
}

struct Token: Decodable {
  let text: String
  let seconds: Int
}

struct Report {
  let user: String
  var orders = 0
  var amount = Decimal(0)
  var problem: LoadError?
}

/// Connections are shared; credentials, cookies and stored responses are not.
struct Shop {
  let address: String

  func server(for user: String) -> Server {
    let signIn = Server(address)
    return Server(address) {
      $0.cachePartition = user
      $0.authentication = .provider { _ in
        let call = Call("/token", method: .post, params: ["user": user])
        let token = try await signIn.send(call, as: Token.self)
        return .bearer(token.text, lifetime: .seconds(token.seconds))
      }
    }
  }

  func report(for user: String) async -> Report {
    var report = Report(user: user)
    do throws(LoadError) {
      for try await order in server(for: user).items(Order.self, "/orders", parallel: 2) {
        report.orders += 1
        report.amount += order.amount
      }
    } catch {
      report.problem = error
    }
    return report
  }
}

let shop = Shop(address: CommandLine.arguments.dropFirst().first ?? "")
await withTaskGroup(of: Report.self) { group in
  for user in CommandLine.arguments.dropFirst(2) { group.addTask { await shop.report(for: user) } }
  for await report in group {
    let problem = report.problem.map { ", and more are missing: \($0)" } ?? ""
    print("\(report.user): \(report.orders) orders, \(report.amount)\(problem)")
  }
}
