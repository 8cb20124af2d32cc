#if canImport(Combine)
  public import Arbor
  public import Combine
#endif
