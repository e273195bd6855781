import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import type { Reply, Visitor } from '../../../testing/test-gateway.ts'
import { normaliseHash } from './payment-hash.ts'

const HASH = 'AB'.repeat(32)

let scene: Scene
let bank: string
let coin: string
beforeAll(async () => {
  scene = await startScene()
  const { admin, call } = scene
  const { paymentOptions } = await expectOk<{ paymentOptions: { id: string }[] }>(
    call(admin, 'GET', '/paymentOptions'),
  )
  bank = paymentOptions[0]?.id ?? ''
  const option = {
    payOption: 'Crypto Wallet',
    bank: 'Bitcoin',
    accountNumber: '1BitcoinEaterAddressDontSendf59kuE',
    explorerUrl: 'https://mempool.space/tx/{hash}',
  }
  coin = getId(await expectOk(call(admin, 'POST', '/paymentOptions', option)), 'paymentOption')
})
afterAll(() => scene?.gateway.stop())

async function issueReference(visitor: Visitor, option = bank): Promise<string> {
  const path = '/users/me/deposit_reference'
  const { reference } = await expectOk<{ reference: string }>(
    scene.call(visitor, 'POST', path, { payment_option_id: option }),
  )
  return reference
}

function requestDeposit(visitor: Visitor, fields: Record<string, string>): Promise<Reply> {
  const form = { type: 'deposit', amount: '50.00', pay_option: 'Bank Transfer', ...fields }
  const path = '/users/me/transactions'
  return scene.upload(visitor, { method: 'POST', path, field: 'receipt', fields: form })
}

const createBankFields = (reference: string, more = {}) => ({
  payment_option_id: bank,
  reference,
  ...more,
})
const createCoinFields = (hash: string, more = {}) => ({
  pay_option: 'Crypto Wallet',
  payment_option_id: coin,
  tx_hash: hash,
  ...more,
})

interface Made {
  transaction: { id: string; reference: string }
}

describe('the reference to quote', () => {
  test('is the same until a deposit uses it; after that, a new reference is issued', async () => {
    const { investor } = scene
    const [reference, again, ofCoin] = [
      await issueReference(investor),
      await issueReference(investor),
      await issueReference(investor, coin),
    ]
    expect(again).toBe(reference)
    expect(ofCoin).not.toBe(reference)
    const { transaction } = await expectOk<Made>(
      requestDeposit(investor, createBankFields(reference)),
    )
    expect(transaction.reference).toBe(reference)
    expect(await issueReference(investor)).not.toBe(reference)
    expect(await issueReference(investor, coin)).toBe(ofCoin)
    // A deposit does not need a payment reference.
    const plain = await expectOk<Made>(requestDeposit(investor, { payment_option_id: bank }))
    expect(plain.transaction.reference).not.toBe(reference)
  })

  test('is the same for concurrent requests', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => issueReference(scene.stranger)))
    expect(new Set(all).size).toBe(1)
  })

  test('is used by only one of many concurrent deposits', async () => {
    const reference = await issueReference(scene.stranger)
    const form = createBankFields(reference)
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => requestDeposit(scene.stranger, form)),
    )
    const said = replies.map(({ status, body }) => `${status} ${body.code}`)
    expect(said.filter((each) => each === '201 undefined')).toHaveLength(1)
    expect(said.filter((each) => each === '409 REFERENCE_USED')).toHaveLength(4)
  })

  test('belongs to one user and one payment option, and an invented one is refused', async () => {
    const { investor, stranger } = scene
    const reference = await issueReference(investor)
    const replies = [
      await requestDeposit(stranger, createBankFields(reference)),
      await requestDeposit(investor, {
        ...createBankFields(reference),
        ...createCoinFields(''),
        reference,
      }),
      await requestDeposit(investor, createBankFields('0123456789ABCDEF')),
    ]
    expect(replies.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      replies.map(() => '422 REFERENCE_UNKNOWN'),
    )
    const path = '/users/me/deposit_reference'
    const unknown = { payment_option_id: createId(0) }
    expect((await scene.call(investor, 'POST', path, unknown)).status).toBe(404)
    // After a refused deposit, the reference can still be used.
    expect(
      (await requestDeposit(investor, createBankFields(reference, { amount: '1.00' }))).status,
    ).toBe(422)
    await expectOk(requestDeposit(investor, createBankFields(reference)))
  })

  test('sabotaged twin: without the check of its owner, another user can use it', async () => {
    const { gateway, investor, stranger } = scene
    const reference = await issueReference(investor)
    await gateway.db
      .updateTable('platform.deposit_reference')
      .set({ user_id: stranger.userId, payment_option_id: bank })
      .where('reference', '=', reference)
      .execute()
    const { transaction } = await expectOk<Made>(
      requestDeposit(stranger, createBankFields(reference)),
    )
    expect(transaction.reference).toBe(reference)
  })
})

describe('the hash of a payment in a coin', () => {
  const readDetail = (visitor: Visitor, id: string) =>
    expectOk<{ payment: object | null; flags: string[]; sameHash: { id: string }[] }>(
      scene.call(visitor, 'GET', `/transactions/${id}`),
    )

  test('is shown with its network and a link to a block explorer, to owner and administrator', async () => {
    const { investor, admin } = scene
    const { transaction } = await expectOk<Made>(requestDeposit(investor, createCoinFields(HASH)))
    const payment = {
      hash: HASH.toLowerCase(),
      network: 'Bitcoin',
      url: `https://mempool.space/tx/${HASH.toLowerCase()}`,
    }
    expect(await readDetail(investor, transaction.id)).toMatchObject({ payment })
    const shown = await readDetail(admin, transaction.id)
    expect(shown).toMatchObject({ payment, sameHash: [] })
    expect(shown.flags).not.toContain('hash-used-before')

    // Another user sends the hash of the first user, but in lower case.
    const other = await expectOk<Made>(
      requestDeposit(scene.stranger, createCoinFields(HASH.toLowerCase())),
    )
    const again = await readDetail(admin, other.transaction.id)
    expect(again.flags).toContain('hash-used-before')
    expect(again.sameHash.map(({ id }) => id)).toEqual([transaction.id])
    expect(await readDetail(scene.stranger, other.transaction.id)).not.toHaveProperty('sameHash')
  })

  test('of a refused deposit can be used for the next deposit', async () => {
    const hash = 'cd'.repeat(32)
    const reference = await issueReference(scene.investor, coin)
    const form = createCoinFields(hash, { reference })
    expect((await requestDeposit(scene.investor, { ...form, amount: '1.00' })).status).toBe(422)
    expect(
      (await requestDeposit(scene.investor, createCoinFields(hash, { amount: '1.00' }))).status,
    ).toBe(422)
    const corrected = 'ce'.repeat(32)
    const made = await expectOk<Made>(
      requestDeposit(scene.investor, createCoinFields(corrected, { reference })),
    )
    expect(await readDetail(scene.admin, made.transaction.id)).toMatchObject({
      payment: { hash: corrected },
      sameHash: [],
      flags: ['receipt-used-before'],
    })
    // A second request with the reference of a recorded deposit does not change the payment hash of
    // this deposit.
    expect(
      (await requestDeposit(scene.investor, createCoinFields(hash, { reference }))).status,
    ).toBe(409)
    expect(await readDetail(scene.admin, made.transaction.id)).toMatchObject({
      payment: { hash: corrected },
    })
  })

  test('must have the format of its network, and is accepted only for coins', async () => {
    const { investor } = scene
    const short = await requestDeposit(investor, createCoinFields('ab'.repeat(31)))
    expect(short.body.errors).toEqual([
      {
        tx_hash: 'This is not the hash of a transaction on Bitcoin. Copy it from your wallet.',
      },
    ])
    const banked = await requestDeposit(investor, { payment_option_id: bank, tx_hash: HASH })
    expect(banked.body.errors).toEqual([
      { tx_hash: 'Only a payment in a coin has a transaction hash' },
    ])
    expect(normaliseHash('Ethereum', `0x${HASH}`)).toBe(`0x${HASH.toLowerCase()}`)
    expect(normaliseHash('Ethereum', HASH)).toBeNull()
    expect(normaliseHash('USDT on Tron', `0x${HASH}`)).toBeNull()
    expect(normaliseHash('Solana', '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnb')).toMatch(
      /^5VERv8/,
    )
    expect(normaliseHash('Solana', 'javascript:alert(1)')).toBeNull()
  })
})

describe('an option in a coin', () => {
  const editOption = (body: object) =>
    scene.call(scene.admin, 'PATCH', `/paymentOptions/${coin}`, body)

  test('is not saved with an address whose checksum is wrong', async () => {
    const wrong = await editOption({ accountNumber: '1BitcoinEaterAddressDontSendf59kuF' })
    expect(wrong.status).toBe(400)
    expect(wrong.body.errors).toEqual([
      { accountNumber: expect.stringContaining('This is not a valid Bitcoin address') },
    ])
    // Only the network is changed. The old address is not valid on the new network.
    expect((await editOption({ bank: 'USDT on Tron' })).status).toBe(400)
    await expectOk(editOption({ accountNumber: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }))
  })

  test.each([
    'http://mempool.space/tx/{hash}',
    'https://mempool.space/tx/',
    'javascript:alert("{hash}")',
    'https://{hash}.example.com/',
    'https://user:secret@example.com/{hash}',
  ])('does not accept %s as the address of an explorer', async (explorerUrl) => {
    const reply = await editOption({ explorerUrl })
    expect(reply.body.errors).toEqual([
      { explorerUrl: expect.stringContaining('Enter an https:// address') },
    ])
  })
})

describe('the payment details of a deposit', () => {
  const readDestination = async (visitor: Visitor, id: string) => {
    const detail = await expectOk<{ paidTo: { accountNumber: string } | null }>(
      scene.call(visitor, 'GET', `/transactions/${id}`),
    )
    return detail.paidTo?.accountNumber
  }

  test('are those at the time of the request for both sides, even if the option is edited later', async () => {
    const { admin, investor, call } = scene
    const option = { payOption: 'Bank Transfer', bank: 'Old Bank', accountNumber: '11112222' }
    const own = getId(
      await expectOk(call(admin, 'POST', '/paymentOptions', option)),
      'paymentOption',
    )
    const makeDeposit = async () =>
      (await expectOk<Made>(requestDeposit(investor, { payment_option_id: own }))).transaction.id
    const before = await makeDeposit()
    await expectOk(call(admin, 'PATCH', `/paymentOptions/${own}`, { accountNumber: '33334444' }))
    const after = await makeDeposit()
    for (const visitor of [admin, investor]) {
      expect(await readDestination(visitor, before)).toBe('11112222')
      expect(await readDestination(visitor, after)).toBe('33334444')
    }
  })

  test('cannot be changed by the gateway', async () => {
    const rewriting = scene.gateway.db
      .updateTable('platform.payment_option_version')
      .set({ account_number: '0' })
      .execute()
    await expect(rewriting).rejects.toThrow('permission denied')
  })
})
