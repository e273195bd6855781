import {
  addPasskey,
  beginPasskey,
  beginPasskeyStepUp,
  listMyPasskeys,
  removePasskey,
  renamePasskey,
  stepUpWithPasskey,
} from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { requireRecentFactor } from '../../platform/http/caller.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { declareRoute, type Exchange, getCaller, type Route } from '../../platform/http/registry.ts'
import { readPolicy } from '../../platform/settings-store/policy.ts'
import { requireFreshProof } from '../mfa/index.ts'
import { recordStepUp } from '../sessions/index.ts'
import { createEnrolment } from './ceremonies.ts'
import { storeChallenge } from './challenges.ts'
import { enrolPasskey } from './enrolment.ts'
import {
  getOrCreateHandle,
  listPasskeyRows,
  refuseTooManyPasskeys,
  renamePasskeyRow,
  toPasskey,
} from './passkey.ts'
import { getRelyingParty } from './relying-party.ts'
import { deletePasskey } from './removal.ts'
import { beginLoginRequest, verifyPasskey } from './verify-login.ts'

const WRITE = { rate: 'write', owner: 'own' } as const

export function createPasskeyRoutes(deps: Dependencies): readonly Route[] {
  return [
    declareRoute(
      listMyPasskeys,
      { rate: 'read', owner: 'own', audit: null },
      async (_request, exchange) => {
        const rows = await listPasskeyRows(deps.db, getCaller(exchange).userId)
        return { passkeys: rows.map(toPasskey) }
      },
    ),
    createBeginRoute(deps),
    declareRoute(addPasskey, { ...WRITE, audit: 'passkey.add' }, async ({ body }, exchange) => {
      const { passkey, recoveryCodes } = await enrolPasskey(deps, exchange, body)
      exchange.note({ subject: passkey.id })
      return { passkey, recoveryCodes: recoveryCodes === null ? null : [...recoveryCodes] }
    }),
    declareRoute(
      renamePasskey,
      { ...WRITE, audit: 'passkey.rename' },
      async ({ params: { id }, body: { name } }, exchange) => {
        const { userId } = getCaller(exchange)
        const row = await renamePasskeyRow(deps.db, { userId, id, name })
        exchange.note({ subject: id })
        return { passkey: toPasskey(row) }
      },
    ),
    createRemoveRoute(deps),
    ...createStepUpRoutes(deps),
  ]
}

/**
 * Creates the route that returns the challenge for a new passkey. This route requires a fresh proof
 * of identity, so the route that adds the passkey requires no further proof.
 */
function createBeginRoute(deps: Dependencies): Route {
  return declareRoute(
    beginPasskey,
    { ...WRITE, audit: 'passkey.begin' },
    async ({ body }, exchange) => {
      const { userId, email, name, sessionHash } = getCaller(exchange)
      const { nowMs } = exchange
      await requireFreshProof(deps, exchange, body.password)
      const site = getRelyingParty(deps.publicUrl)
      const [{ general }, known] = await Promise.all([
        deps.settings.read(),
        listPasskeyRows(deps.db, userId),
      ])
      refuseTooManyPasskeys(known)
      const handle = await getOrCreateHandle(deps.db, userId)
      const named = { ...site, name: general.siteName }
      const options = await createEnrolment(named, { handle, email, name }, known)
      const browserHash = Buffer.from(sessionHash, 'hex')
      const { challenge } = options
      await storeChallenge(deps.db, { browserHash, purpose: 'enrol', challenge, nowMs })
      return { options }
    },
  )
}

function createRemoveRoute(deps: Dependencies): Route {
  return declareRoute(
    removePasskey,
    { ...WRITE, audit: 'passkey.remove' },
    async ({ params: { id } }, exchange) => {
      const policy = await readPolicy(deps.settings)
      const caller = getCaller(exchange)
      if (caller.isMfaEnabled) requireRecentFactor(policy, caller, exchange.nowMs)
      await deletePasskey(deps, exchange, { id, policy })
      exchange.note({ subject: id })
      return null
    },
  )
}

function createStepUpRoutes(deps: Dependencies): readonly Route[] {
  const getSessionHash = (exchange: Exchange) => Buffer.from(getCaller(exchange).sessionHash, 'hex')
  return [
    declareRoute(beginPasskeyStepUp, { ...WRITE, audit: null }, async (_request, exchange) => {
      const { nowMs } = exchange
      const known = await listPasskeyRows(deps.db, getCaller(exchange).userId)
      if (known.length === 0) throw new HttpFailure(409, 'NO_PASSKEY', 'You have no passkey')
      const browserHash = getSessionHash(exchange)
      return {
        options: await beginLoginRequest(deps, { browserHash, purpose: 'step-up', known, nowMs }),
      }
    }),
    declareRoute(
      stepUpWithPasskey,
      { ...WRITE, audit: 'passkey.step-up' },
      async ({ body: { credential } }, exchange) => {
        const { userId, sessionHash } = getCaller(exchange)
        const { nowMs } = exchange
        const browserHash = getSessionHash(exchange)
        const answer = { browserHash, purpose: 'step-up', credential, userId, nowMs } as const
        const { passkeyId } = await verifyPasskey(deps, answer)
        await recordStepUp(deps.db, { sessionHash, isPasskey: true, nowMs })
        exchange.note({ subject: passkeyId })
        return null
      },
    ),
  ]
}
