import type { ChangeDetail, ChangeSummary } from '@cairn/gateway-contracts'
import { type Reply, send, type TestGateway, type Visitor } from './test-gateway.ts'

/** The request in an answer 409 `CHANGE_REQUESTED`; throws for any other answer. */
export function requestedIn({ status, body }: Reply): ChangeSummary {
  if (status !== 409 || body.code !== 'CHANGE_REQUESTED') {
    throw new Error(`${status} ${JSON.stringify(body)}`)
  }
  // The answer with this code has this member.
  return (body.data as unknown as { changeRequest: ChangeSummary }).changeRequest
}

export async function readChange(
  gateway: Pick<TestGateway, 'url'>,
  visitor: Visitor,
  id: string,
): Promise<ChangeDetail> {
  const path = `/admin/approvals/${id}`
  const { body } = await send(gateway, visitor, { method: 'GET', path })
  // The contract of this endpoint names the type.
  return (body.data as unknown as { changeRequest: ChangeDetail }).changeRequest
}

/** Approves the content that this administrator is shown. */
export async function approveChange(
  gateway: Pick<TestGateway, 'url'>,
  visitor: Visitor,
  id: string,
): Promise<Reply> {
  const { payloadSha256 } = await readChange(gateway, visitor, id)
  const path = `/admin/approvals/${id}/approve`
  return send(gateway, visitor, { method: 'POST', path, body: { payloadSha256 } })
}
