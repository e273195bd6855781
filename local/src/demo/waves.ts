import { COMMANDS_PER_REQUEST_MAX, type Command, type CommandType } from '@cairn/ledger-contracts'

/** The id that a command brings into the world; all its other ids must be known before. */
const MAKES: Partial<Record<CommandType, string>> = {
  DefinePlan: 'planId',
  ActivateInvestor: 'investorId',
  RequestDeposit: 'transactionId',
  RequestWithdrawal: 'transactionId',
  OpenInvestment: 'investmentId',
}

/** Cuts a story into requests: what follows from an answer is asked after the answer. */
export function inWaves(commands: readonly Command[]): readonly (readonly Command[])[] {
  const waves: Command[][] = []
  let wave: Command[] = []
  let fresh = new Set<string>()
  for (const command of commands) {
    const { made, known } = idsOf(command)
    if (wave.length === COMMANDS_PER_REQUEST_MAX || known.some((id) => fresh.has(id))) {
      waves.push(wave)
      wave = []
      fresh = new Set()
    }
    wave.push(command)
    if (made !== null) fresh.add(made)
  }
  return [...waves, wave]
}

function idsOf({ type, data }: Command): { made: string | null; known: readonly string[] } {
  let made: string | null = null
  const known: string[] = []
  for (const [name, value] of Object.entries(data)) {
    if (!name.endsWith('Id') || typeof value !== 'string') continue
    if (name === MAKES[type]) made = value
    else known.push(value)
  }
  return { made, known }
}
