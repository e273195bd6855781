import { expect, test } from 'vitest'
import { ACCEPTED, parseLedgerNumber, requireAccepted } from './accepted.ts'
import { offline, online } from './commands.ts'
import { stopped } from './replace-keys.ts'

test('each command states the options that it takes', () => {
  const commands = Object.keys({ ...offline, ...online, ...stopped })
  expect(Object.keys(ACCEPTED).toSorted()).toEqual(commands.toSorted())
})

test.each([
  ['verify', '12', [], 'verify takes no argument such as 12'],
  ['verify', null, ['seq'], 'verify takes no --seq'],
  ['verify', null, ['audit', 'since'], 'verify takes --since or --audit, not both'],
  ['rebuild', null, ['dry-run'], 'rebuild takes no --dry-run'],
  ['balance', 'reserve', ['at', 'seq'], 'balance takes --at or --seq, not both'],
])(
  '%s refuses %s with %j, of which it would leave out a part',
  (command, argument, options, complaint) => {
    expect(() => requireAccepted(command, { argument, options })).toThrow(complaint)
  },
)

test('a command takes its own options and those of every command', () => {
  requireAccepted('verify', { argument: null, options: ['ledger', 'since', 'json'] })
  requireAccepted('trial-balance', { argument: null, options: ['month', 'key'] })
})

test.each(['x', '0', '1.5', '', '-1'])('--ledger refuses %j', (text) => {
  expect(() => parseLedgerNumber(text)).toThrow('--ledger takes the number of a ledger')
})
