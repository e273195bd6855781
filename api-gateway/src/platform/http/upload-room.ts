import type { IncomingMessage } from 'node:http'
import { RECEIPT_BYTES_MAX } from '@cairn/gateway-contracts'
import { createBodyBudget } from '@cairn/service-kit/body-budget'
import { createCallerSlots } from './caller-slots.ts'
import { createOverloadedFailure } from './failure.ts'

/** The maximum total size of the forms with files that are not answered yet. */
const FORMS_BYTES_MAX = 64 * 1024 * 1024
/** The file, and the fields with the limits of forms. */
const FORM_BYTES_MAX = RECEIPT_BYTES_MAX + 256 * 1024
/** Without this limit, one caller could use up the room by slow uploads. */
const UPLOADS_PER_CALLER_MAX = 4

/** Bounds the memory of uploads, which are read completely before they are checked. */
export interface UploadRoom {
  /**
   * Returns a function that the caller must call after the answer. Throws 429 if there is no room
   * for the form, or if several uploads of `who` are not answered yet.
   */
  enter(request: Pick<IncomingMessage, 'headers'>, who: string): () => void
}

export function createUploadRoom(): UploadRoom {
  const slots = createCallerSlots(UPLOADS_PER_CALLER_MAX)
  const forms = createBodyBudget({ totalBytesMax: FORMS_BYTES_MAX, bodyBytesMax: FORM_BYTES_MAX })
  return {
    enter: (request, who) => {
      const leaveSlot = slots.enter(who)
      const leaveBudget = forms.enter(request)
      if (leaveBudget === null) {
        leaveSlot()
        throw createOverloadedFailure()
      }
      return () => {
        leaveSlot()
        leaveBudget()
      }
    },
  }
}
