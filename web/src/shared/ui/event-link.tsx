import { formatCount } from '@cairn/gateway-contracts/counted'

import { Allowed } from '../session/permissions.tsx'
import { TextLink } from './text-link.tsx'

/** Names an event of the ledger, with a link for an administrator who may read the ledger. */
export function EventLink({ seq }: { seq: string }) {
  const name = `event ${formatCount(seq)}`
  return (
    <Allowed permission="ledger.read" otherwise={`${name} of the ledger`}>
      <TextLink to={`/manage/admin/ledger/${seq}`}>{name}</TextLink>
    </Allowed>
  )
}
