import { describe, expect, test } from 'vitest'
import { createRedactor } from './redact.ts'

const redact = createRedactor(['wq7-Zk3+Tz_long-secret', 'short'])

test.each([
  ['the token wq7-Zk3+Tz_long-secret was refused', 'the token [secret] was refused'],
  ['?key=wq7-Zk3%2BTz_long-secret', '?key=[secret]'],
  ['postgres://cairn_ledger:abc@db:5432/x', 'postgres://cairn_ledger:[secret]@db:5432/x'],
  ['smtps://user%40mail:p%40ss@smtp.host', 'smtps://user%40mail:[secret]@smtp.host'],
  ['authorization: Bearer eyJhbGciOi', 'authorization: Bearer [secret]'],
  ['{"newPassword":"a\\"b","ms":3}', '{"newPassword":"[secret]","ms":3}'],
  ['to ann.lee+x@mail.example.com: sent', 'to [email]: sent'],
  ['from 203.0.113.7 and 2001:db8::7', 'from [address] and [address]'],
])('%s', (given, expected) => {
  expect(redact(given)).toBe(expected)
})

describe('the rest of a text stays', () => {
  test.each([
    'a short word',
    '{"level":30,"time":1795696359731,"host":"127.0.0.1","port":18090}',
    'at 12:34:56 on 2026-11-26T12:34:56.000Z the service listened on ::1 and 0.0.0.0',
    'PostgreSQL 18.4 and Node 26.10.0',
    'at file:///app/src/main.ts:12:5',
  ])('%s', (text) => {
    expect(redact(text)).toBe(text)
  })
})
