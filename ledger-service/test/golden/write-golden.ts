import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Command, createId, toJson } from '@cairn/ledger-contracts'
import { parseVerifierKey } from '@cairn/ledger-contracts/proof'
import { hashRequest } from '../../src/log/envelope.ts'
import { toCommand } from '../support/linked.ts'
import { REPEATABLE_TYPES, scenes } from '../support/scenes.ts'
import {
  createFundedInvestor,
  HOUR_MS,
  requireRecorded,
  type SceneLedger,
} from '../support/test-ledger.ts'
import { createTestKey } from '../support/test-signing.ts'
import { COMMANDS_FILE, chooseGoldenFolder, readSteps } from './golden-files.ts'
import { buildGoldenFiles, openGoldenLedger, type Step } from './golden-ledger.ts'

// Run this file only to make the golden log of a new schema or of a new type of event:
// `node ledger-service/test/golden/write-golden.ts schema-4-subject`. The file writes new commands
// with new ids, and all data that the ledger creates from them, into the folder of this name.

const folder = chooseGoldenFolder(process.argv[2] ?? '')
const SERVER = { actor: 'system:server' }

const steps: Step[] = []
/** The time between two steps, in milliseconds. */
let waitMs = 1_000
const ledger = openGoldenLedger()
await ledger.submit({ atMs: ledger.now(), commands: [] })

async function playCommands(...commands: readonly Command[]) {
  const step = { atMs: ledger.now() + waitMs, commands }
  steps.push(step)
  return await ledger.submit(step)
}

const scene: SceneLedger = {
  clock: { now: ledger.now },
  submit: async (type, data, envelope = {}) => {
    const [answer] = await playCommands(toCommand(type, data, envelope))
    if (answer === undefined) throw new Error('no answer')
    return answer
  },
}

// The currency is chosen and the opening balance is imported before money moves.
await requireRecorded(scene.submit('ChooseCurrency', await scenes.ChooseCurrency(scene), SERVER))
await requireRecorded(scene.submit('ImportBalance', await scenes.ImportBalance(scene), SERVER))
const activation = await scenes.ActivateModel(scene)
await requireRecorded(scene.submit('ActivateModel', activation, SERVER))
const month = await scenes.CloseMonth(scene)
await requireRecorded(scene.submit('CloseMonth', month, { actor: 'system:ledger' }))
for (const type of REPEATABLE_TYPES) {
  const data = await scenes[type](scene)
  const answer = await scene.submit(type, data as never, { ...SERVER, key: `golden-${type}` })
  if (answer.outcome !== 'recorded') throw new Error(`${type}: ${JSON.stringify(answer)}`)
}
await matureInvestment()
await forfeitBonus()
await forkLog()
await useOptionalMembers()
await ledger.close()

await writeGolden(COMMANDS_FILE, steps.map((step) => `${toJson(step)}\n`).join(''))
// The commands are parsed from the written file. A stored refusal contains the members of its
// command in the order in which the parser returns them.
for (const [name, text] of await buildGoldenFiles(await readSteps(folder)))
  await writeGolden(name, text)

async function writeGolden(name: string, text: string): Promise<void> {
  const file = join(folder, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

async function matureInvestment(): Promise<void> {
  const opening = await scenes.OpenInvestment(scene)
  const effectiveAt = new Date(ledger.now() - 40 * 24 * HOUR_MS).toISOString()
  await scene.submit('OpenInvestment', opening, { effectiveAt })
  const { investmentId } = opening
  await requireRecorded(scene.submit('AccrueThrough', { investmentId, units: 30 }))
}

async function forfeitBonus(): Promise<void> {
  const { investmentId } = await scenes.PayReferralBonus(scene)
  const opened = ledger.database.events.findLast(({ type }) => type === 'InvestmentOpened')
  const { bonusTo } = JSON.parse(opened?.bytes.toString('utf8') ?? '').data
  await scene.submit('SuspendInvestor', { investorId: bonusTo, standing: 'denied' })
  await requireRecorded(scene.submit('PayReferralBonus', { investmentId }))
}

async function forkLog(): Promise<void> {
  const newKey = parseVerifierKey(createTestKey('cairn.test/ledger/1.2').verifierKey)
  const root = Buffer.alloc(32, 7)
  const lost = { size: 9n, root, at: '2026-03-01T09:00:00.000Z' }
  const handovers = [createTestKey().signHandover({ size: 4n, root, lost, newKey })]
  const fork = { handovers, reason: 'the disk was lost' }
  await requireRecorded(scene.submit('ReplaceSigningKey', fork, SERVER))
}

/**
 * Records linked events, approvals, an external id, metadata, and refusals with and without a link.
 */
async function useOptionalMembers(): Promise<void> {
  const investorId = await createFundedInvestor(scene, { amountMinor: 5_000n })
  const gift = { wallet: 'balance', category: null, reason: 'A "gift" – été' } as const
  const fund = (amountMinor: bigint, envelope: object = {}): Command => ({
    ...toCommand('FundWallet', {
      ...gift,
      transactionId: createId(ledger.now()),
      investorId,
      amountMinor,
    }),
    ...envelope,
  })
  const withdraw = (amountMinor: bigint, key: string) =>
    toCommand(
      'RequestWithdrawal',
      {
        transactionId: createId(ledger.now()),
        investorId,
        source: 'balance',
        amountMinor,
        bankAccountId: 'b',
        bankAccountSha256: 'b'.repeat(64),
      },
      { key },
    )
  const named = { externalId: 'INV 2026/17', metadata: { order: '17', 'batch.no': 'ü' } }
  await playCommands(fund(1n, named), fund(2n, named))
  await playCommands(fund(3n), fund(4n), fund(5n))
  await playCommands(withdraw(999_999n, 'refused-alone'))
  await playCommands(fund(6n, { key: 'linked-1' }), withdraw(999_999n, 'linked-2'))
  await recordApprovedCommand(fund(7n, { actor: 'system:change-requests' }))
}

async function recordApprovedCommand(command: Command): Promise<void> {
  const names = ['bob', 'cyd']
  for (const approverId of names) await scene.submit('AddApprover', { approverId }, SERVER)
  // The next step is 25 hours later, because an approval counts only from 24 hours after its
  // approver was added.
  waitMs = 25 * HOUR_MS
  const approvedAt = new Date(ledger.now() + waitMs).toISOString()
  const approvals = names.map((name) => ({ approver: `admin:${name}`, approvedAt }))
  const commandSha256 = hashRequest(command).requestHash.toString('hex')
  await playCommands({ ...command, approval: { commandSha256, approvals } })
}
