import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
  visitAs,
} from '../../../testing/test-gateway.ts'

let gateway: TestGateway
let admin: Visitor | null
beforeAll(async () => {
  gateway = await startTestGateway()
  admin = await visitAs(gateway, 'admin')
})
afterAll(() => gateway?.stop())

const call = (method: string, path: string, body?: unknown) =>
  send(gateway, admin, { method, path: `/admin/templates${path}`, body })

test('a mail is edited, previewed and restored, and each change is audited', async () => {
  const text = { subject: 'Hi {{name}}', body: 'Your code:\n\n# {{code}}' }
  const saved = await call('PUT', '/verification-code', text)
  expect(saved).toMatchObject({ status: 200, body: { data: { template: { isEdited: true } } } })
  const listed = await call('GET', '')
  const templates = listed.body.data?.templates as unknown as { kind: string; subject: string }[]
  expect(templates.find(({ kind }) => kind === 'verification-code')).toMatchObject(text)

  const preview = await call('POST', '/verification-code/preview', {
    ...text,
    body: '<img src=x onerror=alert(1)>\n\n# {{code}}',
  })
  expect(preview.status).toBe(200)
  const html = JSON.stringify(preview.body)
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(html).toContain('0427')

  const reset = await call('DELETE', '/verification-code')
  expect(reset).toMatchObject({ status: 200, body: { data: { template: { isEdited: false } } } })
  const rows = await gateway.db.selectFrom('platform.audit').selectAll().execute()
  const results = rows.filter(({ result }) => result === 'success')
  expect(results.map(({ action }) => action)).toEqual(['template.edit', 'template.reset'])
})

test('unknown placeholders, missing codes and unknown mails are refused by name', async () => {
  const unknown = await call('PUT', '/welcome', { subject: 'Hi', body: 'Code {{code}}' })
  expect(unknown).toMatchObject({
    status: 400,
    body: { code: 'INVALID', errors: [{ body: '{{code}} is not a placeholder of this email' }] },
  })
  const missing = await call('PUT', '/verification-code', { subject: 'Hi', body: 'no code' })
  expect(missing.status).toBe(400)
  const foreign = { subject: 'Hi', body: '[Set]({{siteUrl}}@evil.example/x)' }
  expect(await call('PUT', '/password-reset', foreign)).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^Links may lead only to this site: .*@evil\.example/) },
  })
  expect((await call('PUT', '/no-such-mail', { subject: 'a', body: 'b' })).status).toBe(404)
  expect((await call('POST', '/constructor/test')).status).toBe(404)
})

test('a test mail goes to the calling administrator', async () => {
  const reply = await call('POST', '/deposit-approved/test')
  expect(reply.status).toBe(200)
  const row = await gateway.db.selectFrom('identity.outbox').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ kind: 'template-test', user_id: admin?.userId })
  expect(reply.body.data?.sentTo).toBe(`${admin?.userId}@example.com`)
})
