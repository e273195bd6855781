import { expectOk, getId, type Scene } from './scene.ts'
import type { Visitor } from './test-gateway.ts'

const DETAILS = { bankName: 'B', accountNumber: '7', accountName: 'A', accountType: 'Others' }

/** Adds a bank account to which withdrawals are possible at once. Returns its id. */
export async function addUsableBankAccount(
  { call, gateway }: Pick<Scene, 'call' | 'gateway'>,
  owner: Visitor,
  details: Partial<typeof DETAILS> = {},
): Promise<string> {
  const form = { ...DETAILS, ...details }
  const id = getId(await expectOk(call(owner, 'POST', '/users/me/banks', form)), 'account')
  await gateway.db
    .updateTable('platform.bank_account')
    .set({ confirmed_at: new Date(0), usable_from: new Date(0) })
    .where('id', '=', id)
    .execute()
  return id
}
