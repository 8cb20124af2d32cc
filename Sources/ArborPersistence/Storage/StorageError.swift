internal import Arbor

/// The reason why data can't be loaded or saved.
public enum StorageError: Error, Hashable, Sendable {
  /// A file operation has failed. For example, there is no space or no permission, the file system is read-only, or
  /// another process uses the folder.
  case file(FileError)

  /// A part or an action can't be encoded.
  ///
  /// - The path leads to the value that can't be encoded, such as `items.3.price`. The stored value of the part stays
  ///   as it is. If an action can't be encoded, all parts are written instead.
  /// - If one of a journal's parts can't be encoded, none of them is written. Their stored values, and the actions
  ///   after these, stay as they are.
  case cannotEncode(String, path: String, reason: String)

  /// Another error of the system, a migration or a coding.
  case other(String)

  /// A newer version of the program has stored a part in a version that this program doesn't know.
  case newerPart(String, stored: Int, known: Int)

  /// A killed program has left journaled actions of another reducer version, and this version must not reduce them; see
  /// ``Journal/ReducerChange/beginWithSnapshot``.
  case otherReducer(String, stored: Int, known: Int)

  /// A file was written by a newer version of the library.
  case newerFormat(file: String, version: UInt32)

  /// A file was found to be damaged while it was in use. It is kept aside.
  case damaged(FolderFinding)

  /// Another process has written to the folder while this one had given up write access.
  case changedElsewhere

  /// The storage is closed and has given up write access.
  case closed

  /// The parts were loaded again for another store, so this store's changes are no longer saved.
  case loadedAgain

  /// No storage saves the changes that the store's actions make.
  case notSaved

  /// The action wasn't sent, because the store's owner is gone.
  case storeGone

  /// The action has changed nothing, so there is nothing to store. An interceptor has dropped or held it, or its commit
  /// has failed.
  ///
  /// - A held action is reduced and stored once it is resumed.
  case notReduced

  /// The action was dropped, because it couldn't be written before its reduction.
  ///
  /// - The reason is nil if an earlier failure, which was reported, requires that all data is written again first.
  /// - The action isn't reduced at the next start either, because its bytes are removed from the file. They only remain
  ///   if the removal fails, too, or if the system crashes, and only until data is written again.
  indirect case refused(String, because: StorageError?)

  /// The storage has actions of a journal that wasn't declared. Without these actions, the loaded state would be out of
  /// date.
  case journalNotDeclared
}

extension StorageError: CustomStringConvertible {
  /// The reason, as one sentence.
  public var description: String {
    switch self {
    case .file(let error): "\(error)"
    case .cannotEncode(let part, "", let reason): "\(part) cannot be encoded: \(reason)"
    case .cannotEncode(let part, let path, let reason): "\(part) cannot be encoded at \(path): \(reason)"
    case .other(let reason): reason
    case .newerPart(let part, let stored, let known):
      "\(part) was stored in version \(stored) by a newer program; this one knows version \(known)"
    case .otherReducer(let action, let stored, let known):
      """
      actions of \(action) were reduced by version \(stored) of the reducer and are in no snapshot, so version \(known) must \
      not reduce them: load them with version \(stored), or with .replay
      """
    case .newerFormat(let file, let version):
      "\(file) was written by a newer version of the library, in version \(version) of the format"
    case .damaged(let finding): "\(finding)"
    case .changedElsewhere: "another process has written to the folder, so nothing is saved: load again"
    case .closed: "nothing is loaded or saved, because the storage is closed; call reopen()"
    case .loadedAgain: "the parts were loaded again for another store, so this one no longer saves anything"
    case .notSaved: "no storage saves what the actions of this store change"
    case .storeGone: "the owner of the store is gone, so the action was not sent"
    case .notReduced: "the action was not reduced: an interceptor dropped or held it, or its commit failed"
    case .refused(let action, let reason):
      "\(action) was not reduced: \(reason.map { "\($0)" } ?? "the stored data must be written again first")"
    case .journalNotDeclared: "the storage contains the actions of a journal, but no journal was declared"
    }
  }
}

extension StorageError {
  /// Makes the error of a part or an action that can't be encoded.
  init(encoding name: String, _ error: any Error) {
    guard case EncodingError.invalidValue(_, let context) = error else {
      self = .cannotEncode(name, path: "", reason: Confidentiality.description(of: error))
      return
    }
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    self = .cannotEncode(name, path: path, reason: context.debugDescription)
  }

  /// Makes the error of reading or writing a folder.
  init(reading error: any Error) {
    switch error {
    case let error as StorageError: self = error
    case let error as FileError: self = .file(error)
    case let error as FolderContents.NewerFormat: self = .newerFormat(file: error.file, version: error.version)
    default: self = .other(Confidentiality.description(of: error))
    }
  }
}
