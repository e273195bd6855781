import { getSigningKey, permitKeyRotation, type SigningKey } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { declareRoute, type Route } from '../../platform/http/registry.ts'
import { type RequestDependencies, submitOrRequest } from '../change-requests/index.ts'
import { createRotationChange } from './rotation-change.ts'

/** Creates the routes that show the signing key and permit its replacement. */
export function createSigningKeyRoutes(deps: RequestDependencies): readonly Route[] {
  const definition = createRotationChange(deps)
  return [
    declareRoute(
      getSigningKey,
      { rate: 'read', owner: 'any', audit: null },
      async (_request, { nowMs }) => ({
        signingKey: await readSigningKey(deps, nowMs),
      }),
    ),
    declareRoute(
      permitKeyRotation,
      { rate: 'write', owner: 'any', audit: 'ledger.permit-key', needsFreshFactor: true },
      async ({ body: { reason } }, exchange) => {
        const { verifierKey } = await deps.ledger.ask('signingKey', {})
        if (verifierKey === null) {
          const message = 'No checkpoint is signed yet, so there is no key to replace'
          throw new HttpFailure(409, 'NOTHING_SIGNED', message)
        }
        const { event } = await submitOrRequest(deps, exchange, {
          type: 'PermitKeyRotation',
          definition,
          data: { verifierKey },
          key: exchange.key,
          about: null,
          reason,
          fields: ['reason'],
        })
        exchange.note({ subject: 'signing-key', event: String(event.seq), verifierKey, reason })
        return { signingKey: await readSigningKey(deps, exchange.nowMs) }
      },
    ),
  ]
}

async function readSigningKey(
  { ledger }: Pick<Dependencies, 'ledger'>,
  nowMs: number,
): Promise<SigningKey> {
  const { verifierKey, permission } = await ledger.ask('signingKey', {})
  const isValid = permission !== null && nowMs <= Date.parse(permission.until)
  return { verifierKey, permittedUntil: isValid ? permission.until : null }
}
