internal import Arbor

/// A reason why something cannot be loaded or saved.
public enum StorageError: Error, Hashable, Sendable {
  /// An operation on a file has failed: there is no space, no permission, the file system can only be read, another
  /// process uses the folder, or another reason.
  case file(FileError)

  /// A part or an action cannot be encoded.
  ///
  /// - The path leads to what cannot be encoded, as `items.3.price`. What was stored of the part stays as it is. In place
  ///   of an action all parts are written.
  /// - Of the parts of a journal none is written as long as one of them cannot be encoded: what is stored of them, and the
  ///   actions behind that, stay as they are.
  case cannotEncode(String, path: String, reason: String)

  /// Another reason: of the system, or of a migration or a coding.
  case other(String)

  /// A newer version of the program has stored a part, of which this one knows nothing.
  case newerPart(String, stored: Int, known: Int)

  /// A program that was killed has left actions of a journal that another version of the reducer has reduced, and that are
  /// not to be reduced by this one; see ``Journal/ReducerChange/beginWithSnapshot``.
  case otherReducer(String, stored: Int, known: Int)

  /// A newer version of the library has written a file.
  case newerFormat(file: String, version: UInt32)

  /// A file is not as it was written, as was seen while it was in use. It is kept aside.
  case damaged(FolderFinding)

  /// Another process has written into the folder while this one had given back its right to do so.
  case changedElsewhere

  /// The storage was closed: it has given back its right to write.
  case closed

  /// The parts were loaded again, for another store: what this one changes is not saved any more.
  case loadedAgain

  /// No storage saves what the store's actions change.
  case notSaved

  /// The owner of the store has gone, so that an action was not sent.
  case storeGone

  /// An action has changed nothing, so that there is nothing to store: an interceptor has dropped or held it, or its commit
  /// has failed.
  ///
  /// - One that is held is reduced, and stored, once it is let on.
  case notReduced

  /// An action was dropped, because it could not be written before it is reduced.
  ///
  /// - The reason is nil if something has failed before, which was told, and all that is stored must be written anew first.
  /// - It is not reduced, nor at the next start: what was written of it is taken out of the file. Only where that fails as
  ///   well, or the system crashes, and before anything is written anew, it may be there.
  indirect case refused(String, because: StorageError?)

  /// The storage has actions of a journal in it, which was not declared: without them the state would be an older one.
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
      actions of \(action) were reduced by version \(stored) of the reducer and are in no snapshot, and version \(known) is \
      not to reduce them: load them with that version, or by .replay
      """
    case .newerFormat(let file, let version):
      "\(file) was written by a newer library, in version \(version) of the format"
    case .damaged(let finding): "\(finding)"
    case .changedElsewhere: "another process has written into the folder, so nothing is saved over that: load again"
    case .closed: "nothing is saved, because the storage is closed"
    case .loadedAgain: "the parts were loaded again for another store, so this one saves nothing any more"
    case .notSaved: "no storage saves what the actions of this store change"
    case .storeGone: "the owner of the store has gone, so that the action was not sent"
    case .notReduced: "the action was not reduced: an interceptor has dropped or held it, or its commit has failed"
    case .refused(let action, let reason):
      "\(action) was not reduced: \(reason.map { "\($0)" } ?? "what is stored must be written anew first")"
    case .journalNotDeclared: "the storage has the actions of a journal, and no journal was declared"
    }
  }
}

extension StorageError {
  /// Makes the error of a part or an action that cannot be encoded.
  init(encoding name: String, _ error: any Error) {
    guard case EncodingError.invalidValue(_, let context) = error else {
      self = .cannotEncode(name, path: "", reason: Confidentiality.description(of: error))
      return
    }
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    self = .cannotEncode(name, path: path, reason: context.debugDescription)
  }

  /// The error of reading or writing a folder.
  init(reading error: any Error) {
    switch error {
    case let error as StorageError: self = error
    case let error as FileError: self = .file(error)
    case let error as FolderContents.NewerFormat: self = .newerFormat(file: error.file, version: error.version)
    default: self = .other(Confidentiality.description(of: error))
    }
  }
}
