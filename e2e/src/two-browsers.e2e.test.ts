import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiClient } from './api-client.ts'
import { runSqlAsSuperuser } from './intruder.ts'
import { openAdminApi, signIn } from './people.ts'
import {
  findProposedRequestId,
  fundReserve,
  type Objects,
  PROPOSALS,
  PROPOSED_KINDS,
  prepareObjects,
  requireData,
} from './proposals.ts'
import { runAdminCommand, SECOND } from './second-admin.ts'
import { browser, platform } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { openAdminPage, useTwoAdmins } from './two-admins.ts'
import { openWatched } from './watched-window.ts'

// One administrator proposes on a phone, and another administrator decides at a desk.

const PHONE = { width: 390, height: 844, theme: 'light' } as const
const DESK = { width: 1440, height: 900, theme: 'light' } as const
/** A folder for a picture of each request. By default no pictures are stored. */
const SHOTS = process.env.E2E_SHOTS
/** Matches an id. The shown values must not contain ids, because people cannot compare ids. */
const ID = /\b[0-9a-hjkmnp-tv-z]{20}\b/

useTwoAdmins()

let objects: Objects
beforeAll(async () => {
  objects = await prepareObjects(platform)
  await runAdminCommand(platform, ['approval-threshold', '--amount', '100'])
  if (SHOTS !== undefined) await mkdir(SHOTS, { recursive: true })
})
afterAll(restore)

/** Restores the objects that the test has changed, so that other tests do not see the changes. */
async function restore(): Promise<void> {
  const maker = await openAdminApi(platform)
  const { version: _version, ...settings } = requireData(await maker.get('admin/settings')).settings
  const security = { ...settings.security, loginAttempts: 5, credentialHoldHours: 24 }
  requireData(await maker.send('POST', 'admin/settings', { ...settings, security }))
  requireData(await maker.send('PUT', 'admin/claims/support-hours', { hours: null }))
  const { plans } = requireData(await maker.get('plans'))
  for (const { id, name } of plans) {
    if (name === 'Quarry') requireData(await maker.send('DELETE', `plans/${id}`))
  }
  await runSqlAsSuperuser(platform, "delete from platform.mail_template where kind = 'welcome'")
}

async function openMakerAndChecker(): Promise<{ maker: Page; checker: Page; api: ApiClient }> {
  const maker = await openWatched(browser, PHONE)
  await signIn(maker, platform, LOGINS.admin)
  const checker = await openWatched(browser, DESK)
  await signIn(checker, platform, SECOND)
  return { maker, checker, api: await openAdminApi(platform) }
}

async function openTransaction(on: Page, id: string): Promise<Locator> {
  await openAdminPage(`approvals?request=${id}`, on)
  const dialog = on.getByRole('dialog')
  await dialog.getByRole('region', { name: 'Changes' }).waitFor()
  return dialog
}

/**
 * Fails if a person could not read the values. This is so if there are no values, if an id is shown
 * instead of a name, or if a value is cut off.
 */
async function requireReadable(dialog: Locator, kind: string): Promise<void> {
  const lines = dialog.getByRole('region', { name: 'Changes' }).getByRole('listitem')
  await expect.poll(() => lines.count(), { message: kind }).toBeGreaterThan(0)
  expect((await lines.allTextContents()).join('\n'), kind).not.toMatch(ID)
  const overflow = await dialog.evaluate((node) => node.scrollWidth - node.clientWidth)
  expect(overflow, kind).toBeLessThanOrEqual(0)
}

async function takeScreenshot(on: Page, name: string): Promise<void> {
  if (SHOTS !== undefined) await on.screenshot({ path: join(SHOTS, `${name}.png`) })
}

async function approve(dialog: Locator, on: Page): Promise<void> {
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
  await dialog.getByRole('button', { name: 'Approve the change' }).click()
  await on.getByText('Approved and carried out.').waitFor()
}

const OWN = 'You proposed this change, so another administrator must decide.'

test('each kind of change is proposed by one, compared by both and approved by the other', async () => {
  const { maker, checker, api } = await openMakerAndChecker()
  for (const kind of PROPOSED_KINDS) {
    const id = await findProposedRequestId(api, await PROPOSALS[kind](api, objects))
    const own = await openTransaction(maker, id)
    await own.getByText(OWN).waitFor()
    expect(await own.getByRole('button', { name: /Approve|Reject/ }).count(), kind).toBe(0)
    await requireReadable(own, kind)
    await takeScreenshot(maker, `${kind}-390`)
    const shown = await openTransaction(checker, id)
    await requireReadable(shown, kind)
    await takeScreenshot(checker, `${kind}-1440`)
    // Before a decision about the reserve, the effect on the disclosed coverage can be read.
    if (kind === 'reserve-withdrawal')
      await shown.getByText(/stays covered|falls from|is covered now/).waitFor()
    await approve(shown, checker)
    const { changeRequest } = requireData(await api.get(`admin/approvals/${id}`))
    expect(changeRequest).toMatchObject({ kind, state: 'executed' })
  }
})

describe('a request', () => {
  const propose = async (api: ApiClient, amount: number) =>
    findProposedRequestId(api, await fundReserve(api, amount))

  test('is withdrawn by its maker', async () => {
    const { maker, checker, api } = await openMakerAndChecker()
    const id = await propose(api, 2_200)
    const own = await openTransaction(maker, id)
    await own.getByRole('button', { name: 'Withdraw request' }).click()
    await own.getByRole('button', { name: 'Withdraw the request' }).click()
    await maker.getByText('The request is withdrawn.').waitFor()
    const shown = await openTransaction(checker, id)
    await shown.getByText('Withdrawn').waitFor()
    expect(await shown.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
  })

  test('is rejected by the other, with a reason that the maker reads', async () => {
    const { maker, checker, api } = await openMakerAndChecker()
    const id = await propose(api, 2_300)
    const shown = await openTransaction(checker, id)
    await shown.getByRole('button', { name: 'Reject', exact: true }).click()
    await shown.getByLabel('Reason').fill('The bank shows no such transfer')
    await shown.getByRole('button', { name: 'Reject the request' }).click()
    await checker.getByText('The request is rejected.').waitFor()
    await (await openTransaction(maker, id)).getByText('The bank shows no such transfer').waitFor()
  })

  test('that expired while it was open on the page is not carried out', async () => {
    const { maker, checker, api } = await openMakerAndChecker()
    const id = await propose(api, 2_400)
    const shown = await openTransaction(checker, id)
    await shown.getByRole('button', { name: 'Approve', exact: true }).waitFor()
    await expireRequest(id)
    await shown.getByRole('button', { name: 'Approve', exact: true }).click()
    await shown.getByRole('button', { name: 'Approve the change' }).click()
    await shown
      .getByText(/^This request expired before it was approved, so nothing changed/)
      .waitFor()
    await (await openTransaction(maker, id)).getByText('Expired', { exact: true }).waitFor()
  })

  test('is not approved by its maker, by no button and by no call', async () => {
    const { maker, api } = await openMakerAndChecker()
    const id = await propose(api, 2_500)
    const own = await openTransaction(maker, id)
    await own.getByText(OWN).waitFor()
    const { payloadSha256 } = requireData(await api.get(`admin/approvals/${id}`)).changeRequest
    const answer = await api.send('POST', `admin/approvals/${id}/approve`, { payloadSha256 })
    expect([answer.status, answer.body.code]).toEqual([409, 'SECOND_APPROVER_NEEDED'])
    requireData(await api.send('POST', `admin/approvals/${id}/withdraw`))
  })
})

test('sabotaged twin: where one administrator is enough, the same act needs no approval', async () => {
  await runAdminCommand(platform, ['dual-control', '--mode', 'single'])
  const api = await openAdminApi(platform)
  expect((await fundReserve(api, 2_600)).status).toBe(201)
  await runAdminCommand(platform, ['dual-control', '--mode', 'required'])
})

/**
 * Makes a request so old that it has expired. Only the superuser can do this, because a trigger
 * protects requests.
 */
async function expireRequest(id: string): Promise<void> {
  await runSqlAsSuperuser(
    platform,
    `set session_replication_role = replica;
     update platform.change_request set created_at = created_at - interval '8 days',
       expires_at = expires_at - interval '8 days' where id = '${id}'`,
  )
}
