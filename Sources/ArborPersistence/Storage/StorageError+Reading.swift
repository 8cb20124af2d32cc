extension StorageError {
  /// The error of reading or writing a folder.
  init(reading error: any Error) {
    switch error {
    case let error as StorageError: self = error
    case let error as FileError: self = .file(error)
    case let error as FolderContents.NewerFormat: self = .newerFormat(file: error.file, version: error.version)
    default: self = .other(String(describing: error))
    }
  }
}
