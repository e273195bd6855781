/** Moves the focus to the search of the list that contains the element. */
export function focusSearch(element: Element): void {
  element.closest('section')?.querySelector<HTMLInputElement>('input[type="search"]')?.focus()
}
