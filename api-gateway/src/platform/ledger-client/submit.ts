import type { Command, LedgerClient, Recorded, Refused } from '@cairn/ledger-contracts'
import type { HttpFailure } from '../http/failure.ts'
import { toFailure, toServerFailure } from './refusal.ts'

/**
 * Sends a command. If the ledger refuses it, throws the failure that the caller of the API gets.
 */
export async function submit(
  ledger: LedgerClient,
  command: Command,
  wording: (refusal: Refused) => HttpFailure | null = () => null,
): Promise<Recorded> {
  const answer = await ledger.submit(command)
  if (answer.outcome === 'recorded') return answer
  if (answer.outcome === 'refused') throw wording(answer) ?? toFailure(answer)
  throw toServerFailure(answer)
}
