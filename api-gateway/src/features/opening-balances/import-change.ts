import type { Dependencies } from '../../platform/dependencies.ts'
import { createCommandChange, toTextLine } from '../change-requests/index.ts'

/** Creates the definition of the change that permits a file of opening balances. */
export function createImportChange(deps: Pick<Dependencies, 'ledger'>) {
  return createCommandChange(deps, {
    kind: 'balance-import',
    type: 'PermitImport',
    permission: 'ledger.permitImport',
    getTarget: ({ fileSha256 }) => fileSha256,
    getTitle: ({ fileSha256 }) => `Import of opening balances ${fileSha256.slice(0, 16)}`,
    getLink: () => '/manage/admin/accounts',
    listBeneficiaries: async () => [],
    // A permission for a file does not replace a state, so there is no state to compare.
    readBefore: async () => null,
    present: async ({ fileSha256 }) => [
      toTextLine('SHA-256 of the file', { after: fileSha256 }),
      toTextLine('Effect', {
        after: 'The command import-balances records each line of this file as a balance',
      }),
    ],
  })
}
