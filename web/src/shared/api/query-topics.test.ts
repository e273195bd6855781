import { LiveTopic } from '@cairn/gateway-contracts'
import { queryOptions } from '@tanstack/react-query'
import { expect, test } from 'vitest'

import { defineQueryTopics, listStaleKeys } from './query-topics.ts'

test('a change of several topics makes each key stale once', () => {
  expect(listStaleKeys(['transactions', 'investments'])).toEqual([
    ['investments'],
    ['stats'],
    ['transactions'],
  ])
  expect(listStaleKeys(['balance'])).toContainEqual(['stats'])
})

test('a pending movement of the reserve makes its list stale for other administrators', () => {
  expect(listStaleKeys(['queue'])).toContainEqual(['reserve'])
})

test('each topic makes at least one key stale', () => {
  for (const topic of LiveTopic.options) expect(listStaleKeys([topic])).not.toEqual([])
  expect(listStaleKeys([])).toEqual([])
})

test('a topic that makes no query stale does not compile', () => {
  // @ts-expect-error: all topics but `plans` are missing.
  defineQueryTopics({ plans: ['plans'] })
  // @ts-expect-error: `prices` is not a topic.
  defineQueryTopics({ plans: [...LiveTopic.options, 'prices'] })
  const complete = defineQueryTopics({ everything: LiveTopic.options })
  expect(complete.everything).toEqual(LiveTopic.options)
})

test('a query key with an unknown first part does not compile', () => {
  // @ts-expect-error: `plan` is not a key of the table.
  const { queryKey } = queryOptions({ queryKey: ['plan', 'list'] })
  expect(queryKey).toEqual(['plan', 'list'])
})
