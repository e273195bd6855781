import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import type { Visitor } from '../../../testing/test-gateway.ts'

let scene: Scene
/** The references of the deposits: $500 of the investor and $20 of the stranger. */
let references: { large: string; small: string }
beforeAll(async () => {
  scene = await startScene()
  const { stranger } = scene
  await rename(stranger, { email: 'maria500@example.test' })
  const small = await scene.deposit(stranger, '20.00')
  references = { large: await findReference(scene.depositId), small: await findReference(small) }
})
afterAll(() => scene?.gateway.stop())

async function rename({ userId }: Visitor, values: { name?: string; email?: string }) {
  const { db } = scene.gateway
  await db.updateTable('identity.user').set(values).where('id', '=', userId).execute()
}

async function findReference(transactionId: string): Promise<string> {
  const { transaction } = await scene.gateway.ledger.ask('transaction', { transactionId })
  return transaction?.reference ?? ''
}

interface Page {
  transactions?: readonly { reference: string }[]
  investments?: readonly { reference: string }[]
  meta: { total: number; totals: { amount?: number } }
}

async function search(list: 'transactions' | 'investments', text: string) {
  const path = `/${list}?q=${encodeURIComponent(text)}`
  const page = await expectOk<Page>(scene.call(scene.admin, 'GET', path))
  const listed = page[list]?.map(({ reference }) => reference).toSorted() ?? []
  expect(page.meta.total).toBe(listed.length)
  return { listed, amount: page.meta.totals.amount }
}

async function searchFile(text: string): Promise<string> {
  const { gateway, admin } = scene
  const url = `${gateway.url}/api/v1/transactions.csv?q=${encodeURIComponent(text)}`
  return (await fetch(url, { headers: { cookie: admin.cookie } })).text()
}

test.each(['500', '$500.00'])(
  '%s finds the amount, not the address with its digits',
  async (text) => {
    const { large, small } = references
    expect(await search('transactions', text)).toEqual({ listed: [large], amount: 500 })
    const file = await searchFile(text)
    expect([file.includes(large), file.includes(small)]).toEqual([true, false])
  },
)

test('a part of an address finds the transactions of its owner', async () => {
  const { small } = references
  expect(await search('transactions', 'maria500')).toEqual({ listed: [small], amount: 20 })
})

test('the beginning of a reference is found although an address contains it', async () => {
  const { large, small } = references
  const prefix = large.slice(0, 12)
  await rename(scene.stranger, { email: `${prefix.toLowerCase()}z@example.test` })
  const { listed } = await search('transactions', prefix)
  expect(listed).toEqual([large, small].toSorted())
})

test('the investments in a plan are found although a person has its name', async () => {
  await rename(scene.stranger, { name: 'Ten Brink' })
  const { listed } = await search('investments', 'Ten')
  expect(listed).toHaveLength(1)
})
