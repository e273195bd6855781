import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { isSecondAdminBinding } from '../users/index.ts'
import type { PaymentOptionRow } from './payment-option.ts'

/** The fields that determine the payment destination. */
type Destination = Pick<
  PaymentOptionRow,
  'pay_option' | 'bank' | 'account_number' | 'extra' | 'image_id'
>
type Visibility = Pick<PaymentOptionRow, 'is_visible' | 'changed_by' | 'changed_at'>

/**
 * Replacing an address is the easiest way to steal deposits. If the settings require two
 * administrators, a new or changed destination is therefore hidden until an administrator other
 * than its editor approves the version that they saw.
 */
export async function decideVisibility(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  change: {
    known: PaymentOptionRow | null
    requested: Destination & { is_visible: boolean }
    /** The `waitingSince` that the approving administrator saw. */
    asOf: string | undefined
    userId: string
    nowMs: number
  },
): Promise<Visibility> {
  const { known, requested, asOf, userId, nowMs } = change
  const shown = { is_visible: requested.is_visible, changed_by: null, changed_at: null }
  if (!(await isSecondAdminBinding(deps))) return shown
  const waitsOf = known?.changed_by ?? null
  if (known === null || hasOtherDestination(known, requested)) {
    if (waitsOf !== null && waitsOf !== userId) {
      const message =
        'A change waits for a second administrator. Approve it unchanged, or delete the option.'
      throw new HttpFailure(409, 'OPTION_WAITS', message)
    }
    return { is_visible: false, changed_by: userId, changed_at: new Date(nowMs) }
  }
  if (waitsOf === null || known.changed_at === null) return shown
  if (!requested.is_visible) {
    return { is_visible: false, changed_by: waitsOf, changed_at: known.changed_at }
  }
  if (waitsOf === userId) {
    const message = 'Another administrator must approve your change'
    throw new HttpFailure(409, 'SECOND_APPROVER_NEEDED', message)
  }
  if (asOf === undefined || Date.parse(asOf) !== known.changed_at.getTime()) throw optionChanged()
  return shown
}

export function optionChanged(): HttpFailure {
  const message = 'This was changed meanwhile. Please look at it again.'
  return new HttpFailure(409, 'OPTION_CHANGED', message)
}

function hasOtherDestination(known: PaymentOptionRow, requested: Destination): boolean {
  return (
    known.pay_option !== requested.pay_option ||
    known.bank !== requested.bank ||
    known.account_number !== requested.account_number ||
    known.extra !== requested.extra ||
    known.image_id !== requested.image_id
  )
}
