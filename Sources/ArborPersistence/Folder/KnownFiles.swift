/// The files of a storage that its writer knows, because it has found or made them.
struct KnownFiles: Sendable {
  private let folder: any FileFolder

  /// The names of all but the ``ends``.
  private(set) var names: [FileName]

  /// The names of the files that say up to where all was durable when the storage was closed.
  private(set) var ends: [FileName]

  /// `true` if a state that was given up may have left a file that is not known, because the folder could not be listed.
  private var isIncomplete = false

  init(in folder: any FileFolder, of contents: FolderContents) {
    self.folder = folder
    (names, ends) = (contents.files, contents.ends)
  }

  /// `true` if these files are in the folder, and no others.
  var isAll: Bool {
    get throws(FileError) { Set(try FileName.all(in: folder).filter { $0.kind != .end }) == Set(names) }
  }

  /// Notes a file that was made.
  mutating func append(_ name: FileName) {
    if name.kind == .end { ends.append(name) } else { names.append(name) }
  }

  /// Notes what is left of a state that was given up: it may have its last name already, or could not be removed.
  mutating func noteRemains(of draft: FolderWriter.Draft) {
    do throws(FileError) {
      try noteFiles { $0 == draft.name || $0 == draft.unfinishedName }
    } catch {
      isIncomplete = true
    }
  }

  private mutating func noteFiles(where isNoted: (FileName) -> Bool) throws(FileError) {
    names += try FileName.all(in: folder).filter { isNoted($0) && $0.kind != .end && !names.contains($0) }
  }

  /// Removes the files before a state, and all ends.
  ///
  /// - Throws: The first error. What could not be removed is removed with the next state.
  mutating func remove(before number: UInt64) throws(FileError) {
    if isIncomplete {
      try noteFiles { $0.number < number }
      isIncomplete = false
    }
    try remove(names.filter { $0.number < number } + ends)
  }

  /// Removes files. One that cannot be removed stays among these, and keeps no other one in the folder.
  ///
  /// - Throws: The first error.
  mutating func remove(_ removed: [FileName]) throws(FileError) {
    var failure: FileError?
    for name in removed {
      do throws(FileError) {
        try folder.remove(name.text)
        names.removeAll { $0 == name }
        ends.removeAll { $0 == name }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }
}
