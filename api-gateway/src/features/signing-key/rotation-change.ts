import { parseVerifierKey } from '@cairn/ledger-contracts/proof'
import { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createCommandChange, toTextLine } from '../change-requests/index.ts'

/** Creates the definition of the change that permits a new signing key. */
export function createRotationChange(deps: Pick<Dependencies, 'ledger'>) {
  return createCommandChange(deps, {
    kind: 'signing-key-rotation',
    type: 'PermitKeyRotation',
    permission: 'ledger.permitKey',
    getTarget: () => 'signing-key',
    getTitle: ({ verifierKey }) =>
      `New key in place of the signing key ${describeKey(verifierKey)}`,
    getLink: () => '/manage/admin/checkpoints',
    listBeneficiaries: async () => [],
    // A request names the key to replace. If the key changes after the request, the request
    // therefore fails.
    readBefore: async () => (await deps.ledger.ask('signingKey', {})).verifierKey,
    present: async (_data, before) => {
      const verifierKey = z.string().nullable().parse(before)
      return [
        toTextLine('Signing key', {
          before: verifierKey === null ? null : `Key ${describeKey(verifierKey)}`,
          after: 'A new key, which the command rotate-signing-key creates on the server',
        }),
      ]
    },
  })
}

/** Returns the id and the log of a verifier key, so that people can compare them. */
function describeKey(verifierKey: string): string {
  const { id, name } = parseVerifierKey(verifierKey)
  return `${id} of ${name}`
}
