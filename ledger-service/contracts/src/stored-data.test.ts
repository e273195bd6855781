import { expect, test } from 'vitest'
import { expandStoredData, formatStoredData, isRequestImplied } from './stored-data.ts'

const INVESTOR = '01kjma3ccrn1b0xpqm09'
const INVESTMENT = '01m8a43g417dvjpn3nmv'
const PROFIT = `investor:${INVESTOR}:profit`

function store(type: string, data: object, postings: readonly [string, bigint][]) {
  const moved = postings.map(([account, amountMinor]) => ({ account, amountMinor }))
  const stored = formatStoredData(type, data, moved)
  return { stored, read: expandStoredData(type, JSON.parse(stored), moved) }
}

const ACCRUED = {
  investmentId: INVESTMENT,
  investorId: INVESTOR,
  units: '1',
  profitMinor: '33',
  creditedMinor: '66',
}

test('an accrual stores neither its investor nor its profit, which its postings name', () => {
  const { stored, read } = store('ProfitAccrued', ACCRUED, [
    ['committed', -33n],
    [PROFIT, 33n],
  ])
  expect(stored).toBe(`{"creditedMinor":"66","investmentId":"${INVESTMENT}","units":"1"}`)
  expect(read).toEqual(ACCRUED)
})

test('an accrual of nothing has no postings and stores all its data', () => {
  const data = { ...ACCRUED, profitMinor: '0' }
  const { stored, read } = store('ProfitAccrued', data, [])
  expect(stored).toContain(`"investorId":"${INVESTOR}","profitMinor":"0"`)
  expect(read).toEqual(data)
})

test('data that differ from the postings are stored', () => {
  const { read } = store('ProfitAccrued', ACCRUED, [
    ['committed', -34n],
    [`investor:${INVESTMENT}:profit`, 34n],
  ])
  expect(read).toEqual(ACCRUED)
})

test.each([
  ['returned', true, `investor:${INVESTOR}:balance`],
  ['kept', false, 'income'],
])('the end of an investment implies that its principal is %s', (_, isPrincipalReturned, to) => {
  const data = { ...ACCRUED, principalMinor: '500', isPrincipalReturned }
  const principal = `investor:${INVESTOR}:principal`
  const { stored, read } = store('InvestmentMatured', data, [
    ['committed', -33n],
    [PROFIT, 33n],
    [principal, -500n],
    [to, 500n],
  ])
  expect(stored).toBe(`{"creditedMinor":"66","investmentId":"${INVESTMENT}","units":"1"}`)
  expect(read).toEqual(data)
  const withoutProfit = { ...data, profitMinor: '0' }
  expect(
    store('InvestmentMatured', withoutProfit, [
      [principal, -500n],
      [to, 500n],
    ]).read,
  ).toEqual(withoutProfit)
})

test('only the plain command of an accrual is implied', () => {
  const command = { type: 'AccrueThrough', effectiveAt: null }
  expect(isRequestImplied('ProfitAccrued', command)).toBe(true)
  expect(isRequestImplied('InvestmentMatured', command)).toBe(true)
  expect(isRequestImplied('InvestmentOpened', { ...command, type: 'OpenInvestment' })).toBe(false)
  expect(isRequestImplied('ProfitAccrued', { ...command, type: 'OpenInvestment' })).toBe(false)
  expect(isRequestImplied('ProfitAccrued', { ...command, effectiveAt: '2026-01-01' })).toBe(false)
  expect(isRequestImplied('ProfitAccrued', { ...command, externalId: 'x' })).toBe(false)
  expect(isRequestImplied('ProfitAccrued', { ...command, metadata: { a: 'b' } })).toBe(false)
})
