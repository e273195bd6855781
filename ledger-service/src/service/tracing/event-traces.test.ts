import { expect, test } from 'vitest'
import { createEventTraces } from './event-traces.ts'

const listEvents = (...seqs: bigint[]) => seqs.map((seq) => ({ seq }))

test('finds the traces of the given events only', () => {
  const traces = createEventTraces()
  traces.add(7n, 'a')
  traces.add(8n, 'b')
  expect(traces.find(listEvents(6n, 7n))).toEqual({ 7: 'a' })
})

test('an event that was not written has no trace, and another event may take its place', () => {
  const traces = createEventTraces()
  traces.add(7n, 'not written')
  traces.remove([7n])
  expect(traces.find(listEvents(7n))).toEqual({})
  traces.add(8n, 'decided again')
  traces.add(8n, 'written')
  expect(traces.find(listEvents(8n))).toEqual({ 8: 'written' })
})

test('forgets the oldest traces', () => {
  const traces = createEventTraces(2)
  for (const seq of [1n, 2n, 3n]) traces.add(seq, 'a')
  expect(Object.keys(traces.find(listEvents(1n, 2n, 3n)))).toEqual(['2', '3'])
})
