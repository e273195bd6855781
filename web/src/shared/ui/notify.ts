/** Shows an error until the user closes it. The messages load after the page is shown. */
export function notifyError(message: string): void {
  void import('sonner').then(({ toast }) =>
    toast.error(message, { duration: Number.POSITIVE_INFINITY }),
  )
}
