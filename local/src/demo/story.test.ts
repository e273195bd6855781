import type { Command } from '@cairn/ledger-contracts'
import { describe, expect, it } from 'vitest'
import { DEMO_INVESTORS } from './people.ts'
import { createSeededRandom } from './random.ts'
import { createStory, STORY_DAYS } from './story.ts'
import { DAY_MS, HOUR_MS, type StoryInvestor } from './timeline.ts'

const NOW_MS = Date.parse('2026-11-21T07:00:00.000Z')

function createCommands(): readonly Command[] {
  const random = createSeededRandom(1)
  const ids = new Map(DEMO_INVESTORS.map(({ email }) => [email, random.id(NOW_MS)]))
  const investors = DEMO_INVESTORS.map(
    ({ email, joinedOnDay, broughtBy }): StoryInvestor => ({
      email,
      joinedOnDay,
      id: ids.get(email) ?? '',
      referrerId: broughtBy === null ? null : (ids.get(broughtBy) ?? null),
      bankAccountId: random.id(NOW_MS),
      bankAccountSha256: 'b'.repeat(64),
      receipt: { id: `receipt of ${email}`, sha256: 'a'.repeat(64) },
      wallets: { balanceMinor: 0n, profitMinor: 0n },
    }),
  )
  const options = [
    { id: random.id(NOW_MS), type: 'Bank Transfer' },
    { id: random.id(NOW_MS), type: 'Mobile Wallet' },
  ] as const
  const story = createStory({ nowMs: NOW_MS, adminId: random.id(NOW_MS), investors, options })
  return [...story.opening, ...story.history()]
}

describe('the demo story', () => {
  it('is the same every time', () => {
    expect(createCommands()).toEqual(createCommands())
  })

  it('chooses the currency before money moves', () => {
    const [first] = createCommands()
    expect(first).toMatchObject({ type: 'ChooseCurrency', data: { asset: 'USD/2' } })
  })

  it('gives each investor a payment proof of their own', () => {
    const owners = new Map<string, Set<string>>()
    for (const command of createCommands()) {
      if (command.type !== 'RequestDeposit') continue
      const { receiptId, investorId } = command.data
      owners.set(receiptId, (owners.get(receiptId) ?? new Set()).add(investorId))
    }
    expect(owners.size).toBe(DEMO_INVESTORS.length)
    expect([...owners.values()].map(({ size }) => size)).toEqual(DEMO_INVESTORS.map(() => 1))
  })

  it('names every command once', () => {
    const keys = createCommands().map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('happens within its days and never in the future', () => {
    for (const { effectiveAt } of createCommands()) {
      if (effectiveAt === null) continue
      const atMs = Date.parse(effectiveAt)
      expect(atMs).toBeGreaterThanOrEqual(NOW_MS - STORY_DAYS * DAY_MS)
      expect(atMs).toBeLessThanOrEqual(NOW_MS)
    }
  })

  it('pays each withdrawal from the bank account', () => {
    const commands = createCommands()
    const bankAccounts = new Set(
      commands.flatMap((command) =>
        command.type === 'RequestDeposit' && command.data.method === 'Bank Transfer'
          ? [command.data.paymentOptionId]
          : [],
      ),
    )
    const payers = commands.flatMap((command) =>
      command.type === 'ApproveWithdrawal' ? [command.data.paymentOptionId] : [],
    )
    expect(payers.length).toBeGreaterThan(0)
    expect(new Set(payers)).toEqual(bankAccounts)
  })

  it('decides enough deposits for a measured review time of two payment methods', () => {
    const commands = createCommands()
    const decided = new Set(
      commands.flatMap((command) =>
        command.type === 'ApproveDeposit' ? [command.data.transactionId] : [],
      ),
    )
    const counts = new Map<string, number>()
    for (const command of commands) {
      if (command.type !== 'RequestDeposit' || !decided.has(command.data.transactionId)) continue
      if (Date.parse(command.effectiveAt ?? '') < NOW_MS - 29 * DAY_MS) continue
      const { method } = command.data
      counts.set(method, (counts.get(method) ?? 0) + 1)
    }
    // The gateway publishes a review time only after at least twenty decisions.
    expect(counts.get('Bank Transfer')).toBeGreaterThanOrEqual(20)
    expect(counts.get('Mobile Wallet')).toBeGreaterThanOrEqual(20)
  })

  it('ends with decisions for the demo user that are recent enough for a notification', () => {
    const commands = createCommands()
    const recent = commands.flatMap((command) =>
      (command.type === 'ApproveDeposit' || command.type === 'ApproveWithdrawal') &&
      Date.parse(command.effectiveAt ?? '') > NOW_MS - HOUR_MS / 2
        ? [command.data.transactionId]
        : [],
    )
    const owners = commands.flatMap((command) =>
      (command.type === 'RequestDeposit' || command.type === 'RequestWithdrawal') &&
      recent.includes(command.data.transactionId)
        ? [[command.type, command.actor]]
        : [],
    )
    const [demoUser] = commands.flatMap(({ actor, type }) =>
      type === 'OpenInvestment' ? [actor] : [],
    )
    expect(owners).toEqual([
      ['RequestWithdrawal', demoUser],
      ['RequestDeposit', demoUser],
    ])
  })

  it('ends an investment within the hour in which it causes a notification', () => {
    const hourly = createCommands().flatMap((command) =>
      command.type === 'OpenInvestment' && command.data.amountMinor === 100_00n
        ? [Date.parse(command.effectiveAt ?? '') + 48 * HOUR_MS]
        : [],
    )
    const recent = hourly.filter((endMs) => endMs > NOW_MS - HOUR_MS && endMs < NOW_MS)
    expect(recent).toHaveLength(1)
  })

  it('leaves an hourly investment whose next hour ends within two minutes', () => {
    const opened = createCommands().findLast(({ type }) => type === 'OpenInvestment')
    const elapsedMs = NOW_MS - Date.parse(opened?.effectiveAt ?? '')
    const untilNextMs = HOUR_MS - (elapsedMs % HOUR_MS)
    expect(untilNextMs).toBeGreaterThan(30_000)
    expect(untilNextMs).toBeLessThanOrEqual(60_000)
  })
})
