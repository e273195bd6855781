import { keepVisitMessage } from './visit-messages.ts'

/** Shows an error until the user closes it. The messages load after the page is shown. */
export function notifyError(message: string): void {
  void import('sonner').then(({ toast }) =>
    toast.error(message, { duration: Number.POSITIVE_INFINITY }),
  )
}

/** Shows a success for some seconds, and keeps it in the notification centre for this visit. */
export function notifySuccess(message: string): void {
  keepVisitMessage(message)
  void import('sonner').then(({ toast }) => toast.success(message))
}

/** Shows for some seconds that an act is not finished yet. It is not kept, because it is no result. */
export function notifyInfo(message: string): void {
  void import('sonner').then(({ toast }) => toast.info(message))
}
