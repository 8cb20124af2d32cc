import BoardCore
import Testing

@Suite("Options")
struct OptionsTests {
  @Test func `options are read in any order, and in both forms`() throws {
    let options = try Options(["--log=postgres://ann:x=y@db/boards", "--folder", "/tmp/a b", "--name", "Ann Müller"])
    #expect(options.log == "postgres://ann:x=y@db/boards")
    #expect(options.folder == "/tmp/a b")
    #expect(options.name == "Ann Müller")
    #expect(try Options([]) == Options())
    #expect(try Options(["--help"]).wantsHelp)
    #expect(try Options(["--owner", "keeper"]).owner == "keeper")
    #expect(try Options(["--log", "postgresql:///boards"]).log == "postgresql:///boards")
  }

  @Test(arguments: [
    (["--frob"], OptionsError.unknownOption("--frob")), (["-x"], .unknownOption("-x")),
    (["--help=no"], .unknownOption("--help")),
    (["--name"], .missingValue("--name")), (["--name="], .missingValue("--name")), (["Ann"], .unexpected("Ann")),
    (["--log", "mysql://db"], .notALog("mysql://db")), (["--name", " "], .notAName(" ")),
    (["--name", "a\u{1B}[2Jb"], .notAName("a\u{1B}[2Jb")),
    (["--name", String(repeating: "x", count: 61)], .notAName(String(repeating: "x", count: 61))),
  ])
  func `problems in arguments are reported`(arguments: [String], error: OptionsError) {
    #expect(throws: error) { try Options(arguments) }
  }
}
