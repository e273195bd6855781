/** As the `ref` of an element, moves the focus to the element when it appears. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus()
}
