import { describe, expect, test } from 'vitest'
import { createLinkedEventCheck } from './linked-events.ts'

/** One event as `index/length`, or `-` for an event that is not linked. */
function check(...events: readonly string[]): readonly string[] {
  const problems: string[] = []
  const linked = createLinkedEventCheck((seq, problem) => problems.push(`${seq} ${problem}`))
  for (const [seq, text] of events.entries()) {
    const [index = 0, length = 0] = text.split('/').map(Number)
    const place = text === '-' ? null : { index, length }
    linked.check({ seq: BigInt(seq), linked: place, recordedAt: 'now' })
  }
  linked.checkEnd()
  return problems
}

test('complete groups have no problem, beside each other and beside single events', () => {
  expect(check('-', '0/2', '1/2', '0/3', '1/3', '2/3', '-')).toEqual([])
})

describe('a group is not complete', () => {
  test.each([
    ['if its end is missing before a single event', ['0/2', '-']],
    ['if its end is missing before another group', ['0/3', '1/3', '0/2', '1/2']],
    ['if its end is missing at the end of the log', ['-', '0/2']],
    ['if its beginning is missing', ['-', '1/2', '-']],
    ['if an event in the middle is missing', ['0/3', '2/3', '-']],
    ['if its length changes', ['0/2', '1/3', '-']],
    ['if an event is repeated', ['0/2', '0/2', '1/2']],
  ])('%s', (_why, events) => {
    expect(check(...events)).not.toEqual([])
  })

  test('if its events were not recorded at the same time', () => {
    const problems: string[] = []
    const linked = createLinkedEventCheck((seq, problem) => problems.push(`${seq} ${problem}`))
    linked.check({ seq: 0n, linked: { index: 0, length: 2 }, recordedAt: 'now' })
    linked.check({ seq: 1n, linked: { index: 1, length: 2 }, recordedAt: 'later' })
    expect(problems).not.toEqual([])
  })
})
