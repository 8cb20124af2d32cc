#if canImport(SwiftUI)
  public import Arbor
  public import SwiftUI

  extension ScreenStore {
    /// A binding to an optional part for a sheet, cover, popover or navigation destination, which sends an action when the
    /// screen is dismissed.
    ///
    /// ```swift
    /// .sheet(item: store.item(\.editor, dismiss: { AppAction.closeEditor($0.id) })) { editor in … }
    /// ```
    ///
    /// - It follows the id of the item: a change of the item itself presents nothing anew.
    /// - A dismissal is sent once, and only if the item is still the one that was presented when the binding was made. If
    ///   the reducers leave the item there, the screen is told, and presents it again.
    /// - The part may also be a case of an enum, by a property that is nil in any other case: `\.destination.editor`.
    /// - Bindings are compared as those of ``binding(_:send:)``; equal ones also present the same item.
    /// - Parameters:
    ///   - part: The optional part of the state.
    ///   - action: Makes the action that dismisses an item.
    /// - Returns: The binding.
    public func item<Item: Identifiable & Sendable>(
      _ part: any KeyPath<State, Item?> & Sendable,
      dismiss action: @autoclosure @escaping () -> (@Sendable (_ item: Item) -> Action)
    ) -> Binding<Item?> where Item.ID: Sendable {
      binding(to: \.[presented(part, .init(action))])
    }

    /// A binding that is `true` while an optional part is there, for alerts, dialogs and whatever else is presented by a
    /// Boolean value; like ``item(_:dismiss:)``.
    ///
    /// - Parameters:
    ///   - part: The optional part of the state.
    ///   - action: Makes the action that dismisses an item.
    /// - Returns: The binding.
    public func isPresented<Item: Identifiable & Sendable>(
      _ part: any KeyPath<State, Item?> & Sendable,
      dismiss action: @autoclosure @escaping () -> (@Sendable (_ item: Item) -> Action)
    ) -> Binding<Bool> where Item.ID: Sendable {
      binding(to: \.[isPresented: presented(part, .init(action))])
    }

    fileprivate func presented<Item>(
      _ part: KeyPath<State, Item?>,
      _ dismissal: PresentedItem<State, Action, Item>.Dismissal
    ) -> PresentedItem<State, Action, Item> {
      let presented = PresentedItem(part: part, dismissal: dismissal, presented: self[untracked: part])
      // This reading has the view make another binding when another item is to be presented.
      _ = self[presented.id]
      return presented
    }
  }

  extension ScreenStore where Action == Mutation<State> {
    /// A binding to an optional part, which commits nil when the screen is dismissed; like ``item(_:dismiss:)``.
    public func item<Item: Identifiable & Sendable>(
      _ part: any WritableKeyPath<State, Item?> & Sendable
    ) -> Binding<Item?> where Item.ID: Sendable {
      binding(to: \.[presented(part, .init(committingTo: part))])
    }

    /// A binding that is `true` while an optional part is there, which commits nil when the screen is dismissed; like
    /// ``item(_:dismiss:)``.
    public func isPresented<Item: Identifiable & Sendable>(
      _ part: any WritableKeyPath<State, Item?> & Sendable
    ) -> Binding<Bool> where Item.ID: Sendable {
      binding(to: \.[isPresented: presented(part, .init(committingTo: part))])
    }
  }
#endif
