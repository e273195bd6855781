import { notifyError, notifyInfo, notifySuccess } from '../../shared/ui/notify.ts'
import type { ChangeDetail } from '../changes/index.ts'

/** Tells what became of an approved request. An approval is no success until it is carried out. */
export function notifyApproval({ state, failure }: Pick<ChangeDetail, 'state' | 'failure'>): void {
  if (state === 'executed') notifySuccess('Approved and carried out.')
  else if (state === 'failed') {
    notifyError(`Approved, but not carried out: ${failure ?? 'the request failed.'}`)
  } else notifyInfo('Approved. It will be carried out in a moment.')
}
