import { toast } from 'sonner'

/** Shows an error until the user closes it. */
export function notifyError(message: string): void {
  toast.error(message, { duration: Number.POSITIVE_INFINITY })
}
