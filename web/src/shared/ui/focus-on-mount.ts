/** A `ref` callback that moves the focus to the element when the element appears. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus()
}
