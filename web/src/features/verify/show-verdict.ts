/**
 * A `ref` callback that moves the focus and the window to a verdict that appears, which may be
 * outside the window. The start of the verdict is visible also if the verdict is higher than the
 * window.
 */
export function showVerdict(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'nearest' })
}
