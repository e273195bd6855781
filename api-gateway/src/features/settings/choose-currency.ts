import { formatAsset } from '@cairn/gateway-contracts/currency'
import type { LedgerClient } from '@cairn/ledger-contracts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { toFailure, toServerFailure } from '../../platform/ledger-client/refusal.ts'
import type { Author } from './author.ts'

/**
 * Chooses the currency of the ledger. Does nothing if an earlier attempt has chosen it. Throws if
 * this choice would change the currency and money has moved. The command has no key: its
 * repetition is refused as unchanged, and the key of the author belongs to the money rules.
 */
export async function chooseCurrency(
  ledger: LedgerClient,
  currency: string,
  { author, isChanged }: { author: Author; isChanged: boolean },
): Promise<void> {
  const asset = formatAsset(currency)
  const command = { type: 'ChooseCurrency', data: { asset }, effectiveAt: null } as const
  const { actor, requestId } = author
  const approval = author.approve?.(command) ?? null
  const answer = await ledger.submit({ ...command, actor, key: null, requestId, approval })
  if (answer.outcome === 'failed') throw toServerFailure(answer)
  if (answer.outcome === 'recorded' || answer.code === 'CURRENCY_UNCHANGED') return
  if (!isChanged) return
  throw answer.code === 'CURRENCY_FIXED' ? createCurrencyConflict() : toFailure(answer)
}

export function createCurrencyConflict(): HttpFailure {
  const message = 'The currency cannot be changed after money has moved'
  return new HttpFailure(409, 'CURRENCY_IN_USE', message)
}
