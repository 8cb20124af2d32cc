import Arbor
import Testing

@testable import Shop

@Suite struct TerminalTests {
  @Test func `options come in any order`() throws {
    #expect(try Options([]).port == 0 && !Options([]).isStill)
    let options = try Options(["--still", "--port", "8080"])
    #expect(options.port == 8080 && options.isStill && !options.wantsHelp)
    #expect(try Options(["--help"]).wantsHelp)
  }

  @Test(arguments: [
    (["--port"], "--port needs a port number"),
    (["--port", "x"], #""x" is not a port: use a number from 0 to 65535"#),
    (["--port", "65536"], #""65536" is not a port: use a number from 0 to 65535"#),
    (["page"], #"unknown option "page""#),
    (["--still=1"], #"unknown option "--still=1""#),
  ])
  func `invalid arguments are reported`(arguments: [String], sentence: String) {
    #expect(throws: OptionsError(sentence: sentence)) { try Options(arguments) }
  }

  @Test func `bad arguments end the program with 2, and help with 0`() async {
    #expect(await Program.run(arguments: ["--port", "-1"]) == 2)
    #expect(await Program.run(arguments: ["--help"]) == 0)
  }

  @Test func `a line shows the shop`() {
    var shop = ShopState()
    #expect(Screen.line(about: shop) == "closed 0 s | search “”: 0 found | cart: empty | total 0.00 € | payment none")
    shop.isOpen = true
    shop.search.isSearching = true
    shop.search.query = "tea"
    shop.cart.lines = [CartState.Line(product: Product.all[0], count: 2)]
    shop.payment.work.run()
    #expect(
      Screen.line(about: shop)
        == "open 0 s | search “tea”: searching | cart: 2 × Green tea | total 13.00 € | payment attempt 1"
    )
  }
}
