import type { Answer, Command, CommandType, DataOf } from '@cairn/ledger-contracts'
import { createId } from '@cairn/ledger-contracts'
import type { TestLedger } from './test-ledger.ts'

type Envelope = Partial<Pick<Command, 'actor' | 'key' | 'effectiveAt' | 'approval'>>

export function toCommand<Type extends CommandType>(
  type: Type,
  data: DataOf<Type>,
  envelope: Envelope = {},
): Command {
  const rest = { actor: 'system:test', key: null, requestId: null, effectiveAt: null }
  // The cast is safe, because the parameters require data of this type.
  return { type, data, ...rest, ...envelope } as unknown as Command
}

/** Adds money to the wallet `balance`. */
export function fundWallet(
  investorId: string,
  amountMinor: bigint,
  envelope: Envelope = {},
): Command {
  const gift = { wallet: 'balance', category: null, reason: null } as const
  return toCommand(
    'FundWallet',
    { ...gift, transactionId: createId(Date.now()), investorId, amountMinor },
    envelope,
  )
}

export function requestWithdrawal(
  investorId: string,
  amountMinor: bigint,
  envelope: Envelope = {},
): Command {
  const bank = { bankAccountId: 'bank', bankAccountSha256: 'a'.repeat(64) } as const
  return toCommand(
    'RequestWithdrawal',
    { ...bank, transactionId: createId(Date.now()), investorId, source: 'balance', amountMinor },
    envelope,
  )
}

export async function submitLinkedCommands(
  ledger: Pick<TestLedger, 'parts'>,
  commands: readonly Command[],
): Promise<readonly Answer[]> {
  const answers = await ledger.parts.writer.submitLinked(commands, 'interactive')
  if (answers === null) throw new Error('the writer is full or stopping')
  return answers
}

/** Returns `recorded`, or the code of each refusal or failure. */
export function listOutcomes(answers: readonly Answer[]): readonly string[] {
  return answers.map((answer) => (answer.outcome === 'recorded' ? 'recorded' : answer.code))
}
