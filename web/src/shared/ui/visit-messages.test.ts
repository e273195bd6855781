import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getVisitMessages, keepVisitMessage } from './visit-messages.ts'

const SOURCES = join(import.meta.dirname, '../..')

test('the newest 50 messages are kept, and the newest is first', () => {
  for (let number = 1; number <= 60; number += 1) keepVisitMessage(`saved ${number}`)
  const kept = getVisitMessages()
  expect(kept).toHaveLength(50)
  expect(kept[0]?.text).toBe('saved 60')
  expect(kept.at(-1)?.text).toBe('saved 11')
  expect(new Set(kept.map(({ id }) => id)).size).toBe(50)
})

test('only notify.ts shows messages, so that each success is kept and each error stays', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  )
  const showing = files.filter((file) =>
    /\btoast\s*[.(]/.test(readFileSync(join(SOURCES, file), 'utf8')),
  )
  expect(showing).toEqual(['shared/ui/notify.ts'])
})
